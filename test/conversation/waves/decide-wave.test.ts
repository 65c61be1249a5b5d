import { expect, it } from "vitest";
import {
  decideClosing,
  decideOpening,
  refuseWaveId,
  type WaveFacts,
} from "../../../src/conversation/waves/decide-wave.ts";
import { claimWave, endWave } from "../../../src/record/workspace.ts";
import { readCases } from "../../support/cases.ts";

const OPEN = claimWave([], "w1", "root");
const LEDGERS = {
  empty: [],
  open: OPEN,
  complete: endWave(OPEN, "w1", "complete"),
  left: endWave(OPEN, "w1", "left"),
  "of another": claimWave([], "w1", "other"),
  "of one that is gone": claimWave([], "w1", "lost"),
};
const work = { call: "c", agent: "hephaestus", edits: true, wave: "w1", unit: "unit", failure: null };
const failed = { ...work, failure: "hephaestus failed (no access)" };
const TASKS = { none: [], busy: [work], failed: [failed], "failed elsewhere": [{ ...failed, wave: "w0" }] };

/** What differs from a wave of this conversation that is open, and at rest. */
interface Given extends Partial<Omit<WaveFacts, "ledger" | "tasks">> {
  readonly ledger?: keyof typeof LEDGERS;
  readonly tasks?: keyof typeof TASKS;
}
const facts = ({ ledger = "open", tasks = "none", ...rest }: Given): WaveFacts => ({
  wave: "w1",
  unit: "unit",
  root: "root",
  current: { id: "w1", workUnit: "unit" },
  ledger: LEDGERS[ledger],
  mode: "autopilot",
  pause: null,
  tasks: TASKS[tasks],
  gone: new Set(["lost"]),
  ...rest,
});
const DECIDE = {
  open: decideOpening,
  /** Without a plan that shows its tasks to hold, and nobody to overlook anything. */
  close(given: WaveFacts) {
    const decision = decideClosing(given);
    return decision.kind === "refused" ? decision : decision.refusal;
  },
  name: refuseWaveId,
};
interface Case {
  readonly do: keyof typeof DECIDE;
  readonly name: string;
  readonly facts: Given;
  readonly expected: string;
}

it.each(readCases<Case>("conversation/waves/decide-wave"))("to $do a wave $name: $expected", (row) => {
  const decision = DECIDE[row.do](facts(row.facts));
  expect(decision?.kind === "refused" ? decision.reason : "allowed").toContain(row.expected);
});

it("a wave that is opened tells what it leaves, and one that is closed against a failure what failed", () => {
  expect(decideOpening(facts({ wave: "w2" }))).toEqual({ kind: "allowed", leaves: "w1" });
  const leaves = "w1 (hephaestus failed (no access))";
  expect(decideOpening(facts({ wave: "w2", tasks: "failed" }))).toMatchObject({ leaves });
  const closing = decideClosing(facts({ tasks: "failed", mode: "supervised" }));
  expect(closing).toEqual({ kind: "allowed", failed: "hephaestus failed (no access)", refusal: null });
});
