import type { Task } from "../../delegation/task.ts";
import { readOutcome, type ReviewerOutcome } from "../../review/outcome.ts";
import {
  addReview,
  beginWave,
  forgetReviews,
  NEW_WORK,
  noteChange,
  type ReviewLedger,
} from "./review-ledger.ts";
import { recordOf } from "../../lib/json.ts";
import type { Redactor } from "../../lib/redaction.ts";
import type { Conversation } from "../conversation.ts";

const FIX_ROUND =
  "REJECT: one fix round for this work. Send it to the agent it belongs to, then have it reviewed again; a second REJECT is BLOCKED.";

/** Lets the outcomes of reviewers count (SPEC 12): one fix round, then the work is blocked until the user speaks. */
export interface Reviews {
  /**
   * A delegation of this conversation ended.
   * @param changed whether it changed the project
   */
  finished(conversation: Conversation, task: Task, changed: boolean): void;
  waveOpened(conversation: Conversation): void;
  userSpoke(rootId: string): void;
  forget(rootId: string): void;
}

/**
 * @param judges whether an agent's verdict counts
 * @param isAdvisory whether reviews of a conversation are of a plan or for advice only, and so count for no work
 */
export function createReviews(
  redact: Redactor,
  judges: (agent: string) => boolean,
  isAdvisory: (rootId: string) => boolean,
): Reviews {
  /** By conversation, then by work unit as the plugin knows it: a model may call it what it likes. */
  const ledgers = new Map<string, Map<string, ReviewLedger>>();
  const ledgersOf = (rootId: string): Map<string, ReviewLedger> => {
    const known = ledgers.get(rootId) ?? new Map<string, ReviewLedger>();
    ledgers.set(rootId, known);
    return known;
  };

  const count = (
    conversation: Conversation,
    key: string,
    outcome: ReviewerOutcome,
    problem: string | null,
  ): void => {
    const known = ledgersOf(conversation.rootId);
    const { ledger, decision } = addReview(known.get(key) ?? NEW_WORK, outcome);
    known.set(key, ledger);
    if (outcome.verdict !== "APPROVE" || problem !== null) {
      void conversation.log("Review", redact(renderOutcome(outcome, problem)));
    }
    if (decision.kind === "fix-round") conversation.tell(FIX_ROUND);
    if (decision.kind !== "blocked") return;
    conversation.dispatch({
      type: "blocked",
      reason: redact(decision.reason),
      nextStep: redact(decision.nextStep),
    });
  };

  return {
    finished(conversation, { agent, outcome }, changed) {
      const key = conversation.state.workUnit ?? "";
      const known = ledgersOf(conversation.rootId);
      if (changed) known.set(key, noteChange(known.get(key) ?? NEW_WORK));
      if (!judges(agent) || outcome === null || isAdvisory(conversation.rootId)) return;
      // One that broke has reviewed nothing.
      if (outcome.status === "failed" || outcome.status === "cancelled") return;
      const given = readOutcome(agent, recordOf(outcome.envelope)["outcome"]);
      count(conversation, key, given, outcome.parseError);
    },
    waveOpened({ rootId, state: { workUnit } }) {
      const known = ledgersOf(rootId);
      const ledger = known.get(workUnit ?? "");
      if (ledger !== undefined) known.set(workUnit ?? "", beginWave(ledger));
    },
    userSpoke(rootId) {
      const known = ledgersOf(rootId);
      for (const [key, ledger] of known) known.set(key, forgetReviews(ledger));
    },
    forget(rootId) {
      ledgers.delete(rootId);
    },
  };
}

function renderOutcome(
  { reviewer, verdict, reason, nextStep }: ReviewerOutcome,
  problem: string | null,
): string {
  const parts = [
    `**${verdict}** by ${reviewer}`,
    ...(reason === undefined ? [] : [reason]),
    ...(nextStep === undefined ? [] : [`next: ${nextStep}`]),
    ...(problem === null ? [] : [problem]),
  ];
  return `- ${parts.join(" · ").replaceAll(/\s+/g, " ")}`;
}
