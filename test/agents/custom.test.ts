import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { loadCustomSpecialists } from "../../src/agents/custom/load.ts";
import { parseCustomSpecialist } from "../../src/agents/custom/parse.ts";
import { renderProblem } from "../../src/config/problem.ts";
import { systemClock } from "../../src/lib/async.ts";
import { readCases } from "../support/cases.ts";

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

describe("parseCustomSpecialist", () => {
  it("reads models, permissions, contract and prompt", () => {
    const result = parseCustomSpecialist("reviewer", "f.md", GOOD);
    if (!result.ok) throw new Error(renderProblem(result.problem));
    expect(result.definition).toMatchObject({
      name: "reviewer",
      prompt: "You review migrations.",
      defaults: { models: ["a/b", "c/d"], temperature: 0.3 },
      access: { edit: "ask" },
      permission: { edit: "ask" },
    });
    expect(result.definition.contract?.shape).toContain("data: { findings: string[], level: number }");
  });

  it("inherits the session's model when it names none", () => {
    const result = parseCustomSpecialist("x", "f.md", "---\ndescription: d\nmodel: inherit\n---\nDo it.");
    expect(result).toMatchObject({ ok: true, definition: { contract: null, defaults: { models: [] } } });
  });

  it("asks one whose verdict counts for it, with findings where it names no contract of its own", () => {
    const read = (head: string) => {
      const result = parseCustomSpecialist("x", "f.md", `---\ndescription: d\n${head}\n---\nLook.`);
      if (!result.ok) throw new Error(renderProblem(result.problem));
      return result.definition;
    };
    const own = "contract: { locks: string }";
    expect(read("role: reviewer")).toMatchObject({ role: "reviewer", access: { edit: "deny" } });
    expect(read("role: reviewer").contract?.shape).toMatch(/data: \{ findings: string\[\] \}.*outcome:/);
    expect(read(`role: tester\n${own}`).contract?.shape).toMatch(/data: \{ locks: string \}.*outcome:/);
    expect(read(`role: recon\n${own}`).contract?.shape).not.toContain("outcome");
    expect(read("role: recon").contract).toBeNull();
    expect(read("role: checker").access).toMatchObject({ edit: "deny" });
  });

  it.each(readCases<[string, string, string]>("agents/custom.tells-file-line-and-fix"))(
    "tells file, line and fix for %s",
    (_name, text, expected) => {
      const result = parseCustomSpecialist("x", "f.md", text);
      expect(result.ok ? "accepted" : renderProblem(result.problem)).toContain(expected);
    },
  );
});

describe("aliases", () => {
  it("are refused, however few lines they take", () => {
    const lines = Array.from({ length: 30 }, (_, at) =>
      at === 0 ? "  a0: &a0 [x, x]" : `  a${at}: &a${at} [*a${at - 1}, *a${at - 1}]`,
    );
    const text = `---\ndescription: d\ncontract:\n${lines.join("\n")}\n---\nLook.`;
    const result = parseCustomSpecialist("x", "f.md", text);
    expect(result.ok ? "" : result.problem.message).toMatch(/YAML/);
  });
});

describe("loadCustomSpecialists", () => {
  const folders: string[] = [];
  const project = async (files: Record<string, string>): Promise<string> => {
    const directory = await mkdtemp(join(tmpdir(), "gaia-custom-"));
    folders.push(directory);
    await mkdir(join(directory, ".gaia/agents"), { recursive: true });
    for (const [name, text] of Object.entries(files))
      await writeFile(join(directory, ".gaia/agents", name), text);
    return directory;
  };
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
  });

  it("takes good files, reports bad ones, and ignores what is no markdown", async () => {
    const directory = await project({ "good.md": GOOD, "bad.md": "x", "notes.txt": "x" });
    const { definitions, problems } = await loadCustomSpecialists(directory, ["minerva"], systemClock);
    expect(definitions.map(({ name }) => name)).toEqual(["good"]);
    expect(problems.map(({ file }) => file)).toEqual([".gaia/agents/bad.md"]);
  });

  it.each(["minerva.md", "build.md", "__proto__.md", "Upper.md"])("refuses the name of %s", async (name) => {
    const directory = await project({ [name]: GOOD });
    const { definitions, problems } = await loadCustomSpecialists(directory, ["minerva"], systemClock);
    expect(definitions).toEqual([]);
    expect(problems[0]?.message).toContain("cannot be a specialist's name");
  });

  it("finds nothing where there is no folder", async () => {
    expect(await loadCustomSpecialists(tmpdir(), [], systemClock)).toEqual({ definitions: [], problems: [] });
  });
});
