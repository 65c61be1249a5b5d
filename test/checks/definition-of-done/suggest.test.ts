import { describe, expect, it } from "vitest";
import { suggestChecks } from "../../../src/checks/definition-of-done/suggest.ts";
import { createProject } from "../project.ts";
import { readCases } from "../../support/cases.ts";

async function commands(files: Record<string, string>): Promise<string[]> {
  const suggestions = await suggestChecks(await createProject(files));
  return suggestions.map(({ id, command, cwd }) => `${id}: ${command}${cwd ? ` in ${cwd}` : ""}`);
}

function scripts(entries: Record<string, string>, rest: object = {}): string {
  return JSON.stringify({ scripts: entries, ...rest });
}

describe("suggestChecks", () => {
  it("offers the scripts of package.json that prove something", async () => {
    const text = scripts({
      dev: "vite",
      test: "vitest run",
      lint: "oxlint",
      "type-check": "tsc",
      "format:check": "oxfmt --check",
      build: "tsup",
      deploy: "rsync dist host:",
    });
    expect(await commands({ "package.json": text })).toEqual([
      "test: npm run test",
      "lint: npm run lint",
      "type-check: npm run type-check",
      "format-check: npm run format:check",
      "build: npm run build",
    ]);
  });

  it.each([
    ["npm's placeholder", { test: 'echo "Error: no test specified" && exit 1' }, []],
    ["what no name says to be a check", { start: "vitest run", "lint:fix": "eslint --fix ." }, []],
    [
      "a script that another one runs",
      { test: "npm run lint && vitest run", lint: "oxlint" },
      ["test: npm run test"],
    ],
  ])("leaves out %s", async (_name, entries, expected) => {
    expect(await commands({ "package.json": scripts(entries) })).toEqual(expected);
  });

  it("offers Makefile targets and, for what they lack, the tools of the language", async () => {
    const makefile = ".PHONY: test\nVERSION := 1\ntest: build\n\tgo test ./...\nbuild:\n\tgo build\n";
    expect(await commands({ Makefile: makefile, "go.mod": "module x" })).toEqual([
      "test: make test",
      "build: make build",
      "go-vet: go vet ./...",
    ]);
  });

  it.each(readCases<[string, Record<string, string>, string[]]>("checks/definition-of-done/suggest.reads"))(
    "reads %s",
    async (_name, files, expected) => {
      expect(await commands(files)).toEqual(expected);
    },
  );
});
