import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../src/lib/logger.ts";
import { idOfLearning, removeLearnings } from "../../src/workspace/documents/learning.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { acceptLearnings } from "../support/accept-learnings.ts";

let directory: string;
let workspace: Workspace;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-evidence-"));
  workspace = createWorkspace({ directory, clock: createFakeClock(0), logger: silentLogger });
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

const doubtful = async (): Promise<readonly string[]> => {
  const found = await workspace.doubtfulLearnings();
  return found.ok ? found.doubtful.map(({ text }) => text) : [];
};
const contradict = async (...contradicted: string[]) =>
  workspace.countLearnings({ confirmed: [], contradicted });

describe("what was seen of a learning", () => {
  it("is counted for all of its wordings, and read back", async () => {
    await workspace.countLearnings({ confirmed: ["Use pnpm."], contradicted: [] });
    await workspace.countLearnings({ confirmed: ["use `pnpm`"], contradicted: ["use pnpm"] });
    const read = await workspace.learningEvidence();
    expect([...(read.ok ? read.evidence : [])]).toEqual([
      [idOfLearning("use pnpm"), { confirmed: 2, contradicted: 1, last: "1970-01-01" }],
    ]);
  });

  it("is nothing where the file is anything else, and is bounded", async () => {
    await mkdir(join(directory, ".gaia/.local"), { recursive: true });
    for (const value of fc.sample(fc.json(), 30)) {
      await writeFile(join(directory, ".gaia/.local/learnings.json"), value);
      expect(await workspace.learningEvidence()).toMatchObject({ ok: true });
    }
    const one = { confirmed: 1, contradicted: 0, last: "" };
    const broken = { ...one, confirmed: -1 };
    const many = Object.fromEntries(Array.from({ length: 2_100 }, (_, at) => [`id${at}`, one]));
    await writeFile(join(directory, ".gaia/.local/learnings.json"), JSON.stringify({ ...many, broken }));
    await workspace.countLearnings({ confirmed: ["new"], contradicted: [] });
    const read = await workspace.learningEvidence();
    const evidence = read.ok ? read.evidence : new Map<string, never>();
    expect([evidence.size, evidence.has("id0"), evidence.has("broken")]).toEqual([2_000, false, false]);
    expect(evidence.has(idOfLearning("new"))).toBe(true);
  });
});

describe("a learning that was contradicted twice", () => {
  it("is put to the user, goes only by their word, and counts as right again by it", async () => {
    await acceptLearnings(workspace, "pattern: days are local", "pattern: ids are short");
    await contradict("days are local", "ids are short");
    expect(await doubtful()).toEqual([]);
    await contradict("days are local", "ids are short");
    expect(await doubtful()).toEqual(["days are local", "ids are short"]);
    const settled = await workspace.settleDoubtful({
      removed: [{ text: "days are local" }],
      kept: [{ text: "ids are short" }],
    });
    expect(settled).toMatchObject({ ok: true, removed: 1 });
    expect(await doubtful()).toEqual([]);
    const text = await readFile(join(directory, ".gaia/learnings.md"), "utf8");
    expect(text).not.toContain("days are local");
    expect(text).toContain("ids are short");
    await contradict("ids are short");
    expect(await doubtful()).toEqual([]);
  });

  it("is taken out wherever a merge left it, and nothing else is touched", () => {
    const text = "# Learnings\r\n\r\nMine.\r\n- **pattern** a — 2026-01-02\r\n- b\r\n- A. — 2026-03-04\r\n";
    expect(removeLearnings(text, ["a"])).toMatchObject({
      ok: true,
      text: "# Learnings\r\n\r\nMine.\r\n- b\r\n",
    });
    expect(removeLearnings("<<<<<<< a\n- a\n=======\n>>>>>>> b\n", ["a"])).toMatchObject({ ok: false });
  });
});
