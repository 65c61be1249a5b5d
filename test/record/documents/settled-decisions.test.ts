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

test.each<[string, rejected: string, yes: LoggedApproval, isOverturned: boolean]>([
  ["later", "Approve the plan (Old)?", yes("Approve the plan (New)", "2026-02-01 10:07"), true],
  ["in the same minute", "Approve wave w1 (One)?", yes("Approve wave w1", "2026-02-01 10:00"), true],
  ["before", "Approve the plan?", yes("Approve the plan", "2026-02-01 09:59"), false],
  ["as another wave", "Approve wave w1?", yes("Approve wave w10", "2026-02-02"), false],
  ["as another revision", "Approve the revision (a)?", yes("Approve the revision (b)", "2026-02-02"), false],
  ["in no dialog of the plugin's", "Keep it?", yes("Keep it", "2026-02-01 10:07"), false],
])("a rejection shows the outcome that holds, approved %s", (_name, question, approval, isOverturned) => {
  const rejected = row(question, "rejected");
  const choice = isOverturned ? "rejected, then approved" : "rejected";
  expect(settleDecisions([rejected], [approval])).toEqual([{ ...rejected, choice }]);
});

test("a yes with a reason is a row itself, and a no without one stays nothing to remember", () => {
  const no = { ...row("Approve wave w1?", "rejected"), rationale: "" };
  const settled = settleDecisions([no, row("Approve wave w1?", "approved", "2026-02-01")], []);
  expect(settled.map(({ choice }) => choice)).toEqual(["rejected, then approved", "approved"]);
  expect(settled.map(isBareApproval)).toEqual([true, false]);
});
