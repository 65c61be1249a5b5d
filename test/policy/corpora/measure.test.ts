import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Case, readCorpora } from "./corpus.ts";
import { isWithin, measure, type Row } from "./measure.ts";

const PROVENANCE = {
  source: "https://example.com/project",
  commit: "0".repeat(40),
  licence: "MIT",
  files: ["tests/cases.txt"],
  left: { duplicates: 1 },
};

describe("the measurement of corpora", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "corpora-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  const write = (name: string, content: unknown): Promise<void> =>
    writeFile(join(folder, `${name}.json`), JSON.stringify(content));
  const verdicts = (cases: readonly Case[]): Promise<void> => write("theirs", { ...PROVENANCE, cases });
  const line = (about: string, corpus = "theirs"): Row => {
    const found = measure(readCorpora(folder)).find((row) => row.corpus === corpus && row.about === about);
    if (found === undefined) throw new Error(`no line "${about}" of ${corpus}`);
    return found;
  };

  it("counts a danger that runs, in each mode by itself", async () => {
    await verdicts([
      { command: "sudo ls", verdict: "block" },
      { command: "touch a", verdict: "risky" },
      { command: "ls", verdict: "block" },
    ]);
    expect(line("danger, locked")).toMatchObject({ cases: 3, misses: [{ command: "ls" }] });
    expect(isWithin(line("danger, locked"))).toBe(false);
    for (const mode of ["wave", "autopilot"]) {
      expect(line(`danger, ${mode}`).misses.map(({ command }) => command)).toEqual(["touch a", "ls"]);
    }
  });

  it("counts what is allowed elsewhere and does not run here, over all corpora", async () => {
    await verdicts([
      { command: "ls", verdict: "allow" },
      { command: "sudo ls", verdict: "allow" },
    ]);
    await write("agents", { ...PROVENANCE, cwd: "/home/user/project", commands: ["ls", "npm test"] });
    expect(line("allowed, autopilot", "all").misses).toMatchObject([{ command: "sudo ls" }]);
    expect(isWithin(line("allowed, autopilot", "all"))).toBe(false);
    expect(isWithin(line("really run, own files", "agents"))).toBe(true);
  });

  it("holds a project that asks for whatever changes anything against locked mode only", async () => {
    await verdicts([{ command: "ls", verdict: "confirm" }]);
    const abouts = measure(readCorpora(folder)).map(({ about }) => about);
    expect(abouts).toContain("no plain reading, locked");
    expect(abouts).not.toContain("danger, autopilot");
    expect(isWithin(line("no plain reading, locked"))).toBe(false);
  });

  it("judges a command in the folder that its case names", async () => {
    await verdicts([
      { command: "rm -rf *", verdict: "block", cwd: "/" },
      { command: "rm -rf build", verdict: "allow", cwd: "/home/user/project" },
    ]);
    expect(isWithin(line("danger, autopilot"))).toBe(true);
    expect(isWithin(line("allowed, autopilot", "all"))).toBe(true);
  });

  it("leaves out what is only read, and bounds how many verdicts are not followed", async () => {
    await verdicts([
      { command: "ls", verdict: "block" },
      { command: "sudo ls", verdict: "allow" },
    ]);
    await write("disagreements", [
      { corpus: "theirs", command: "ls", kind: "reads", reason: "lists" },
      { corpus: "theirs", command: "sudo ls", kind: "contract", reason: "no more rights" },
      { corpus: "others", command: "sudo ls", kind: "contract", reason: "of another corpus" },
    ]);
    const lines = measure(readCorpora(folder));
    expect(lines).toMatchObject([{ about: "verdicts not followed", misses: [{ command: "sudo ls" }] }]);
    expect(lines.every(isWithin)).toBe(false);
  });

  it("takes no corpus without a source and a licence", async () => {
    await write("theirs", { cases: [{ command: "ls", verdict: "allow" }] });
    expect(() => readCorpora(folder)).toThrow("expected string");
  });
});
