import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { DecisionRow } from "../../../src/conversation/collaboration/state.ts";
import { createDecisionLog } from "../../../src/conversation/record/decision-log.ts";
import { silentLogger } from "../../../src/lib/logger.ts";
import { createWorkspace, type Workspace } from "../../../src/record/workspace.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

let directory: string;
let workspace: Workspace;
let log: ReturnType<typeof createDecisionLog>;
const row = (more: Partial<DecisionRow> = {}): DecisionRow => ({
  key: "k",
  at: Date.UTC(2026, 0, 31, 10, 30),
  workUnit: null,
  type: "rejection",
  question: "May edit run?",
  answer: "rejected",
  impact: "It did not.",
  ...more,
});
const record = async () => readFile(join(directory, ".gaia/unit/decisions.md"), "utf8");

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-decisions-"));
  workspace = createWorkspace({ directory, clock: createFakeClock(), logger: silentLogger });
  await workspace.createWorkUnit({ slug: "unit", title: "Unit" });
  log = createDecisionLog(workspace, silentLogger);
});
afterEach(async () => rm(directory, { recursive: true, force: true }));

describe("the decision log", () => {
  it.each([null, "gone"])(
    "holds rows back until there is a work unit, then writes them there: %s",
    async (unit) => {
      log.unitChanged(unit);
      log.add(row());
      await log.settled();
      expect(await record()).not.toContain("May edit run?");
      log.unitChanged("unit");
      await log.settled();
      expect(await record()).toContain("| 2026-01-31 10:30 | May edit run? | rejected |  | It did not. |");
    },
  );

  it("completes a row when its reason comes, instead of adding one", async () => {
    log.unitChanged("unit");
    log.add(row());
    await log.settled();
    log.add(row({ rationale: "tabs, not spaces" }));
    await log.settled();
    expect((await record()).match(/May edit run\?/g)).toHaveLength(1);
    expect(await record()).toContain("| rejected | tabs, not spaces |");
  });
});
