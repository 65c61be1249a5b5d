import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { DecisionRow } from "../../../src/conversation/collaboration/state.ts";
import { createDecisionLog } from "../../../src/conversation/record/decision-log.ts";
import { entriesOf } from "../../../src/record/recall/entries.ts";
import { silentLogger } from "../../../src/lib/error.ts";
import { createWorkspace, type Workspace } from "../../../src/record/workspace.ts";
import { keeping } from "../../support/kept.ts";
import { openFolder } from "../../support/directory.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

let directory: string;
let workspace: Workspace;
let log: ReturnType<typeof createDecisionLog>;
let open: () => typeof log;
let memory: ReturnType<typeof keeping>;
let unit: string | null;
let toasts: string[];
const row = (more: Partial<DecisionRow> = {}): DecisionRow => ({
  key: "k",
  at: Date.UTC(2026, 0, 31, 10, 30),
  workUnit: null,
  type: "question",
  question: "May edit run?",
  answer: "rejected",
  impact: "It did not.",
  ...more,
});
const record = async () => readFile(join(directory, ".gaia/unit/decisions.md"), "utf8");

beforeEach(async () => {
  directory = await openFolder();
  workspace = createWorkspace({ directory, clock: createFakeClock(), logger: silentLogger });
  await workspace.createWorkUnit({ slug: "unit", title: "Unit" });
  toasts = [];
  const toast = async (_variant: string, message: string): Promise<void> => void toasts.push(message);
  const host = { logger: silentLogger, toast };
  unit = null;
  memory = keeping();
  open = () => createDecisionLog({ workspace, host, redact: String }, memory.remember, () => unit);
  log = open();
});

const turnTo = (slug: string | null): void => {
  unit = slug;
  log.write();
};

it.each([null, "gone"])(
  "the decision log holds rows back until there is a work unit, over a restart as well, then writes them there: %s",
  async (before) => {
    turnTo(before);
    log.add(row());
    await log.settled();
    expect(await record()).not.toContain("May edit run?");
    memory = keeping(memory.kept());
    log = open();
    turnTo("unit");
    await log.settled();
    expect(await record()).toContain("| 2026-01-31 10:30 | May edit run? | rejected |  | It did not. |");
  },
);

it("the decision log tells the user once what keeps their decisions out of the record, and writes them when it is gone", async () => {
  turnTo("unit");
  const path = join(directory, ".gaia/unit/decisions.md");
  const before = await readFile(path, "utf8");
  await writeFile(path, `<<<<<<< ours\n${before}=======\n>>>>>>> theirs\n`);
  log.add(row());
  log.add(row({ key: "l", question: "May bash run?" }));
  await log.settled();
  expect(toasts).toEqual([expect.stringContaining("decisions.md")]);
  await writeFile(path, before);
  log.add(row({ key: "m", question: "May write run?" }));
  await log.settled();
  expect(await record()).toContain("May edit run?");
  expect(toasts).toHaveLength(1);
});

it("the decision log completes a row when its reason comes, instead of adding one", async () => {
  turnTo("unit");
  log.add(row());
  await log.settled();
  log.add(row({ rationale: "tabs, not spaces" }));
  await log.settled();
  expect((await record()).match(/May edit run\?/g)).toHaveLength(1);
  expect(await record()).toContain("| rejected | tabs, not spaces |");
});

it("the decision log takes a bare answer into the log, in one line and once, and one with a reason among the decisions", async () => {
  turnTo("unit");
  const yes = row({
    key: "plan:per_1",
    type: "approval",
    question: "Approve the plan (A|B)?",
    answer: "approved",
  });
  log.add(yes);
  await log.settled();
  log.add(yes);
  log.add(row({ key: "rejection:per_3", type: "rejection" }));
  log.add(
    row({
      key: "wave:per_2",
      type: "wave_approval",
      question: "Approve wave w1?",
      answer: "approved",
      rationale: "small enough",
    }),
  );
  await log.settled();
  const text = await readFile(join(directory, ".gaia/unit/log.md"), "utf8");
  expect(text.match(/^- .*$/gm)).toEqual([
    "- 2026-01-31 10:30 · Approve the plan (A|B) · `plan:per_1`",
    "- 2026-01-31 10:30 · May edit run: rejected · `rejection:per_3`",
  ]);
  expect(await record()).not.toContain("Approve the plan");
  expect(await record()).toContain("| Approve wave w1? | approved | small enough |");
  const path = "unit/log.md";
  expect(
    entriesOf({ path, holds: "log", unit: "unit" }, text)
      .map((each) => each.text)
      .join("\n"),
  ).not.toContain("Approve");
});

it("the decision log writes a row into the unit it was decided in, whatever is active", async () => {
  await workspace.createWorkUnit({ slug: "other", title: "Other" });
  turnTo("other");
  log.add(row({ workUnit: "unit" }));
  await log.settled();
  expect(await record()).toContain("May edit run?");
});
