import * as fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { defaultConfig } from "../../src/config/defaults.ts";
import { createBearings } from "../../src/conversation/bearings/bearings.ts";
import { initialState } from "../../src/conversation/collaboration/state.ts";
import { DEFAULTS } from "../conversation/collaboration/session.ts";
import { createTestServices } from "../support/services.ts";
import { createMemory, type Memory } from "../../src/record/memory.ts";
import { renderResume } from "../../src/record/recall/memory.ts";
import { createDecisionLog } from "../../src/conversation/record/decision-log.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createRedactor } from "../../src/lib/redaction.ts";
import type { Knowledge } from "../../src/record/knowledge.ts";
import { createWorkspace, type Workspace } from "../../src/record/workspace.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { planTask } from "../support/plan-task.ts";
import { acceptLearnings, openEntries } from "../support/entries.ts";
import { keeping } from "../support/kept.ts";
import { openFolder } from "../support/directory.ts";

const clock = createFakeClock(Date.UTC(2026, 0, 31, 14, 5));
let workspace: Workspace;
let memory: Memory;
let memoryOf: (useLearnings: boolean) => Memory;
let knowledge: Knowledge;

beforeEach(async () => {
  const directory = await openFolder();
  const redact = createRedactor({});
  workspace = createWorkspace({ directory, clock, logger: silentLogger, redact });
  knowledge = openEntries(directory);
  const given = { workspace, knowledge, clock, logger: silentLogger, redact };
  const limits = defaultConfig().knowledge;
  memoryOf = (useLearnings) => createMemory({ ...given, useLearnings, limits });
  memory = memoryOf(true);
});

const begin = async (): Promise<void> => {
  await workspace.createWorkUnit({ slug: "limits", title: "Rate limits" });
  const markdown = "## Tasks\n\n- [x] 1. Write it\n- [ ] 2. Test it\n  - wave: 2\n- [ ] 3. Document it\n";
  await workspace.updatePlan({ markdown, status: "in-progress" });
};

describe("resume", () => {
  it("tells unit, progress, wave, open tasks and the last decisions", async () => {
    await begin();
    const rows = Array.from({ length: 7 }, (_, at) => ({ question: `q${at}`, choice: `c${at}` }));
    await workspace.appendDecisions({ rows });
    const text = await memory.resume();
    expect(text).toContain(
      "Active work unit: limits (Rate limits) · in-progress · 1 of 3 tasks done · wave 2",
    );
    expect(text).toContain("- 2. Test it (wave 2)\n- 3. Document it");
    expect(text).toContain("q6 → c6");
    expect(text).not.toContain("q1 → c1");
    expect(text).not.toContain("Write it");
  });

  it("never costs more than 600 tokens of four characters", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 400 });
    const task = fc
      .record({ number: fc.nat(999), text, done: fc.boolean(), agent: text, wave: text })
      .map(planTask);
    const decision = fc.record({ question: text, choice: text });
    fc.assert(
      fc.property(
        fc.record({
          slug: fc.constant("a"),
          title: text,
          status: fc.constant("draft" as const),
          tasks: fc.array(task, { maxLength: 60 }),
          decisions: fc.array(decision, { maxLength: 20 }),
          handover: fc.string({ maxLength: 3_000 }),
          lastSession: fc.string({ maxLength: 3_000 }),
        }),
        (state) => {
          expect(renderResume(state).length).toBeLessThanOrEqual(2_400 + 80);
        },
      ),
      { numRuns: 50 },
    );
  });
});

it("hand-over is written into the log and stands in the next session's first message, until work goes on", async () => {
  await begin();
  const running = [{ agent: "artemis", sessionId: "ses_1", activity: "bash npm test" }];
  const words = "mind the clock in the tests";
  const handed = await memory.handOver("limits", { root: "ses_0", running, words, asked: [] });
  expect(handed).toMatchObject({ ok: true, slug: "limits" });
  const text = await memory.resume();
  expect(text).toContain("Handed over:\n- From the user: mind the clock in the tests");
  expect(text).toContain("- Next: 2. Test it");
  expect(text).toContain("- Was running: artemis in ses_1, last: bash npm test");
  const unit = await workspace.readWorkUnit();
  expect(unit.ok && unit.content.log_md).toContain("## 2026-01-31 14:05 — Hand-over of ses_0");
  // What was running then ends; that is no work after it. Another conversation's is.
  const ended = (root: string, id: string) => ({ slug: "limits", root, lines: [{ id, text: "artemis" }] });
  await workspace.logWork(ended("ses_0", "call_1"));
  expect(await memory.resume()).toContain("Handed over:");
  await workspace.writeSession({ slug: "limits", root: "ses_1", markdown: "- Asked: go on" });
  expect(await memory.resume()).not.toContain("Handed over");
});

it("hand-over works without a unit, more than once a day", async () => {
  await workspace.setActive({ slug: null });
  for (const words of ["first", "second"]) {
    const handing = { root: "ses_0", running: [], words, asked: ["How does the parser work?"] };
    expect(await memory.handOver(null, handing)).toMatchObject({ ok: true, slug: "handoff-2026-01-31" });
    expect(await memory.resume()).toMatch(
      new RegExp(`Handed over:\\n- From the user: ${words}\\n- Asked: How does the parser work\\?`, "u"),
    );
  }
});

it("relevant tells a thing once in a conversation, again after a compaction, and again in another conversation", async () => {
  await acceptLearnings(knowledge, "correction: use pnpm");
  expect(await memoryOf(false).relevant(new Set(), "install with pnpm", [])).toBe("");
  const services = createTestServices({ workspace, memory });
  const host = { logger: silentLogger, toast: async () => undefined };
  const decisions = createDecisionLog({ workspace, host, redact: String }, keeping().remember, () => null);
  const [a, b] = ["a", "b"].map((rootId) => {
    const state = initialState(rootId, DEFAULTS, 0);
    return createBearings({ rootId, state, decisions }, services, {} as never);
  });
  const ask = async (bearings = a): Promise<boolean | undefined> =>
    (await bearings?.forMessage("install with pnpm", []))?.includes("use pnpm");
  expect([await ask(), await ask(), await ask(b)]).toEqual([true, false, true]);
  a?.observe?.({ type: "session.compacted", sessionId: "a" }, true);
  expect([await ask(), await ask(b)]).toEqual([true, false]);
});
