import { expect, test } from "vitest";
import {
  isBareApproval,
  settleDecisions,
  type LoggedApproval,
  type RecordedDecision,
} from "../../../src/record/documents/decision.ts";

const row = (question: string, choice: string, date = "2026-02-01 10:00"): RecordedDecision => ({
  date,
  question,
  choice,
  rationale: "smaller steps",
  impact: "",
});
const yes = (question: string, date: string): LoggedApproval => ({ question, date });

test.each<[string, RecordedDecision, readonly LoggedApproval[], string]>([
  [
    "approved later",
    row("Approve the plan (Old)?", "rejected"),
    [yes("Approve the plan (New)", "2026-02-01 10:07")],
    "rejected, then approved",
  ],
  [
    "approved in the same minute",
    row("Approve wave w1 (One)?", "rejected"),
    [yes("Approve wave w1", "2026-02-01 10:00")],
    "rejected, then approved",
  ],
  [
    "approved before",
    row("Approve the plan?", "rejected"),
    [yes("Approve the plan", "2026-02-01 09:59")],
    "rejected",
  ],
  [
    "another wave was approved",
    row("Approve wave w1?", "rejected"),
    [yes("Approve wave w10", "2026-02-02")],
    "rejected",
  ],
  [
    "another revision was approved",
    row("Approve the revision (a)?", "rejected"),
    [yes("Approve the revision (b)", "2026-02-02")],
    "rejected",
  ],
  [
    "no dialog of the plugin's",
    row("Keep it?", "rejected"),
    [yes("Keep it", "2026-02-01 10:07")],
    "rejected",
  ],
])("a rejection shows the outcome that holds: %s", (_name, rejected, approvals, choice) => {
  expect(settleDecisions([rejected], approvals)).toEqual([{ ...rejected, choice }]);
});

test("a yes with a reason is a row itself, and a no without one stays nothing to remember", () => {
  const no = { ...row("Approve wave w1?", "rejected"), rationale: "" };
  const settled = settleDecisions([no, row("Approve wave w1?", "approved", "2026-02-01")], []);
  expect(settled.map(({ choice }) => choice)).toEqual(["rejected, then approved", "approved"]);
  expect(settled.map(isBareApproval)).toEqual([true, false]);
});
