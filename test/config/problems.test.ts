import { describe, expect, it } from "vitest";
import { renderProblem } from "../../src/config/problem.ts";
import { loadSources } from "./config-files.ts";
import { readCases } from "../support/cases.ts";

/** The problems of a project's file, one line each, from the line number on. */
async function problemsOf(project: string): Promise<string[]> {
  const { problems } = await loadSources({ project });
  return problems.map((problem) => renderProblem(problem).replace(/^\.gaia\/config\.jsonc:/, ""));
}

describe("a key or value that does not fit", () => {
  it.each([
    ...readCases<[string, string, string]>("config/problems.a-key-that-the-schema"),
    ...readCases<[string, string, string]>("config/problems.a-value-that-does-not"),
  ])("is told with its place: %s", async (_name, text, line) => {
    expect(await problemsOf(text)).toEqual([line]);
  });

  it("prints no line break or terminal escape that a name may hold", async () => {
    const [line] = await problemsOf('{ "a\\n\\u001b\\u2028": 1 }');
    expect(line).toMatch(/^1:3 \["a\?\?\?"\]: unknown key\. Known here: \$schema, preset, /);
  });

  it("never repeats the value, which may be a secret", async () => {
    const secret = "sk-1234567890";
    const { problems } = await loadSources({
      project: `{ "mode": "${secret}", "agents": { "gaia": { "model": "${secret}" } }, "preset": "${secret}" }`,
    });
    expect(problems).toHaveLength(3);
    expect(JSON.stringify(problems)).not.toContain(secret);
  });
});

describe("text that is not JSON", () => {
  it.each(readCases<[string, string, string[]]>("config/problems.text-that-is-not-json"))(
    "%s",
    async (_name, text, lines) => {
      expect(await problemsOf(text)).toEqual(lines);
    },
  );

  it.each([500, 1_000, 2_000, 3_000, 4_000, 6_000, 8_000])("bears brackets nested %i deep", async (depth) => {
    const nested = `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(await problemsOf(`{ "guards": ${nested} }`)).toHaveLength(1);
  });

  it("counts lines and columns as editors do: any line ending, no byte order mark", async () => {
    const text = '\uFEFF{\r\n"mode":\r"x", "é🙂": 1 }';
    expect(await problemsOf(text)).toEqual([
      expect.stringMatching(/^3:1 mode: /),
      expect.stringMatching(/^3:6 \["é🙂"\]: unknown key/),
    ]);
  });

  it("asks for UTF-8, and uses nothing of the file", async () => {
    const bytes = Buffer.from('{ "mode": "locked", // caf\xe9\n "visibility": "live" }', "latin1");
    const { config, problems } = await loadSources({ project: bytes });
    expect(problems.map(renderProblem)).toEqual([
      ".gaia/config.jsonc:1:1: not UTF-8. Save it as UTF-8: until then sessions begin locked.",
    ]);
    expect(config).toMatchObject({ mode: "locked", visibility: "checkpoint" });
  });
});

it("lists problems of every kind in the order of the text, and at most fifty of a file", async () => {
  const lines = await problemsOf('{\n"wolf": 1,\n"mode": "x",\n"preset": "here",\n"fox": 1 }');
  const placed = ["2:1 wolf", "3:9 mode", "4:11 preset", "5:1 fox"];
  expect(lines.map((line) => line.split(": ")[0])).toEqual(placed);
  const keys = Array.from({ length: 200 }, (_, index) => `"wolf${index}": 1`);
  const many = await problemsOf(`{\n${keys.join(",\n")}\n}`);
  expect(many.slice(0, -1).map((line) => line.split(":")[0])).toEqual(
    Array.from({ length: 50 }, (_, index) => `${index + 2}`),
  );
  expect(many.at(-1)).toContain("more than 50 problems");
});
