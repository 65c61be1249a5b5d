import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../../src/lib/logger.ts";
import {
  countSeen,
  parseEvidence,
  renderEvidence,
  type EvidenceOfLearnings,
} from "../../src/workspace/documents/learning-evidence.ts";
import { idOfLearning } from "../../src/workspace/documents/learning.ts";
import { removeLearnings } from "../../src/workspace/documents/remove-learnings.ts";
import { createWorkspace, type Workspace } from "../../src/workspace/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";

let directory: string;
let workspace: Workspace;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-evidence-"));
  workspace = createWorkspace({ directory, clock: createFakeClock(0), logger: silentLogger });
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

const NOTHING: EvidenceOfLearnings = new Map();
const doubtful = async (): Promise<readonly string[]> => {
  const found = await workspace.doubtfulLearnings();
  return found.ok ? found.doubtful.map(({ text }) => text) : [];
};
const contradict = async (...contradicted: string[]) =>
  workspace.countLearnings({ confirmed: [], contradicted });

describe("what was seen of a learning", () => {
  it("is counted for all of its wordings, and read back", () => {
    const seen = { confirmed: ["Use pnpm."], contradicted: [] };
    const once = countSeen(NOTHING, seen, "2026-01-02");
    const twice = countSeen(once, { confirmed: ["use `pnpm`"], contradicted: ["use pnpm"] }, "2026-02-03");
    expect([...twice]).toEqual([
      [idOfLearning("use pnpm"), { confirmed: 2, contradicted: 1, last: "2026-02-03" }],
    ]);
    expect(parseEvidence(renderEvidence(twice))).toEqual(twice);
  });

  it("is nothing where the file is anything else, and is bounded", () => {
    fc.assert(
      fc.property(fc.anything(), (value) => {
        for (const { confirmed, contradicted } of parseEvidence(JSON.stringify(value) ?? "").values())
          expect(Math.min(confirmed, contradicted)).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 50 },
    );
    const many = Array.from({ length: 2_100 }, (_, at) => `learning ${at}`);
    const evidence = countSeen(NOTHING, { confirmed: many, contradicted: [] }, "2026-01-02");
    expect(evidence.size).toBe(2_000);
    expect(evidence.has(idOfLearning("learning 0"))).toBe(false);
  });
});

describe("a learning that was contradicted twice", () => {
  it("is put to the user, goes only by their word, and counts as right again by it", async () => {
    await workspace.appendLearnings({ bullets: ["pattern: days are local", "pattern: ids are short"] });
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
