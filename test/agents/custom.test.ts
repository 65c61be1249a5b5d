import { describe, expect, it } from "vitest";
import { loadCustomSpecialists } from "../../src/agents/custom/load.ts";
import { parseCustomSpecialist } from "../../src/agents/custom/parse.ts";
import { renderProblem } from "../../src/config/problem.ts";
import { systemClock } from "../../src/lib/async.ts";
import { readCases } from "../support/cases.ts";
import { writeIn, openFolder } from "../support/directory.ts";

const GOOD = `---
description: reviews migrations
model: a/b
fallback: [c/d]
temperature: 0.3
permission:
  edit: ask
contract:
  findings: string[]
  level: number
---
You review migrations.
`;

function read(text: string) {
  const result = parseCustomSpecialist("reviewer", "f.md", text);
  if (!result.ok) throw new Error(renderProblem(result.problem));
  return result.definition;
}
const withHead = (head: string) => read(`---\ndescription: d\n${head}\n---\nLook.`);

describe("parseCustomSpecialist", () => {
  it("reads models, permissions, contract and prompt", () => {
    const definition = read(GOOD);
    expect(definition).toMatchObject({
      name: "reviewer",
      prompt: "You review migrations.",
      defaults: { models: ["a/b", "c/d"], temperature: 0.3 },
      access: { edit: "ask" },
      permission: { edit: "ask" },
    });
    expect(definition.contract?.shape).toContain("data: { findings: string[], level: number }");
  });

  it("inherits the session's model when it names none", () => {
    expect(withHead("model: inherit")).toMatchObject({ contract: null, defaults: { models: [] } });
  });

  it("asks one whose verdict counts for it, with findings where it names no contract of its own", () => {
    const own = "contract: { locks: string }";
    expect(withHead("role: reviewer")).toMatchObject({ role: "reviewer", access: { edit: "deny" } });
    expect(withHead("role: reviewer").contract?.shape).toMatch(/data: \{ findings: string\[\] \}.*outcome:/);
    expect(withHead(`role: tester\n${own}`).contract?.shape).toMatch(/data: \{ locks: string \}.*outcome:/);
    expect(withHead(`role: recon\n${own}`).contract?.shape).not.toContain("outcome");
    expect(withHead("role: recon").contract).toBeNull();
    expect(withHead("role: checker").access).toMatchObject({ edit: "deny" });
  });

  it.each(readCases<[string, string, string]>("agents/custom.tells-file-line-and-fix"))(
    "tells file, line and fix for %s",
    (_name, text, expected) => {
      expect(() => read(text)).toThrow(expected);
    },
  );

  it("refuses aliases, however few lines they take", () => {
    const lines = Array.from({ length: 30 }, (_, at) =>
      at === 0 ? "  a0: &a0 [x, x]" : `  a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
    );
    expect(() => withHead(`contract:\n${lines.join("\n")}`)).toThrow(/YAML/);
  });
});

describe("loadCustomSpecialists", () => {
  const load = async (files: Record<string, string>) => {
    const directory = await openFolder();
    for (const [name, text] of Object.entries(files)) await writeIn(directory, `.gaia/agents/${name}`, text);
    return loadCustomSpecialists(directory, ["minerva"], systemClock);
  };

  it("takes good files, reports bad ones, and ignores what is no markdown", async () => {
    const { definitions, problems } = await load({ "good.md": GOOD, "bad.md": "x", "notes.txt": "x" });
    expect(definitions.map(({ name }) => name)).toEqual(["good"]);
    expect(problems.map(({ file }) => file)).toEqual([".gaia/agents/bad.md"]);
  });

  it.each(["minerva.md", "build.md", "__proto__.md", "Upper.md"])("refuses the name of %s", async (name) => {
    const { definitions, problems } = await load({ [name]: GOOD });
    expect(definitions).toEqual([]);
    expect(problems[0]?.message).toContain("cannot be a specialist's name");
  });

  it("finds nothing where there is no folder", async () => {
    expect(await load({})).toEqual({ definitions: [], problems: [] });
  });
});
