import type { Contract } from "../contracts/contract.ts";
import { combineRepair, evaluateAnswer, renderRepairPrompt } from "../contracts/evaluate.ts";
import type { HostTurn } from "../host/port.ts";
import { tail, firstSentence } from "../lib/text.ts";
import { ended, type TaskOutcome } from "./task.ts";

const NOT_FITTING =
  "The result did not fit the contract, even after one repair. Use what is here, or resume the session.";

/** Whether someone came to an end whose words fit no contract, which says nothing of their work. */
export function isUnreadable({
  status,
  message,
}: {
  readonly status: string;
  readonly message?: string;
}): boolean {
  return status === "partial" && message === NOT_FITTING;
}

/** Why a reviewer came to no verdict, in a sentence for a person. @param problem what of the answer did not fit */
export function whyNotReviewed(
  end: { readonly status: string; readonly message?: string },
  problem: string | null,
): string {
  const said = firstSentence(end.message ?? "");
  if (!isUnreadable(end) && said !== "") return said;
  const [first = "no verdict"] = problem?.split("; ") ?? [];
  return `its answer does not fit, even when asked again: ${first}.`;
}

/** What the one repair round has to ask for; null where the answer is whole. */
export function repairRequest(contract: Contract, turn: HostTurn): string | null {
  const evaluation = evaluateAnswer(contract, turn);
  return evaluation.status === "valid" ? null : renderRepairPrompt(contract, evaluation.problems);
}

/**
 * The outcome of a task from its answer and, where it needed one, its repair. A report without any contract is not lost behind
 * the one that the repair brought: it stands in `text`. Pure.
 * @param repair null where there was none, or it brought no answer
 */
export function readResult(contract: Contract, turn: HostTurn, repair: HostTurn | null): TaskOutcome {
  const first = evaluateAnswer(contract, turn);
  const result = combineRepair(first, repair === null ? null : evaluateAnswer(contract, repair));
  if (result.status === "valid") {
    const isLost = first.status === "invalid" && first.isEmpty;
    return {
      ...ended("completed", ""),
      envelope: result.answer,
      parseError: result.note,
      text: isLost ? lastOf(turn.text) : null,
    };
  }
  return {
    ...ended("partial", NOT_FITTING),
    envelope: result.answer,
    parseError: result.problems.join("; "),
    text: lastOf(repair?.text ?? "") ?? lastOf(turn.text),
  };
}

function lastOf(text: string): string | null {
  return text.trim() === "" ? null : tail(text, MAX_RAW_TEXT);
}

/** An answer that is no contract is cut to this many characters before the orchestrator pays for it. */
export const MAX_RAW_TEXT = 8_000;
