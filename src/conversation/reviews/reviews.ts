import { givesVerdict } from "../../config/roles.ts";
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
import type { ConversationCore } from "../core.ts";
import type { Planning } from "../planning/stage.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

const FIX_ROUND =
  "REJECT: one fix round for this work. Send it to the agent it belongs to, then have it reviewed again; a second REJECT is BLOCKED.";

/** Lets the outcomes of reviewers count (SPEC 12): one fix round, then the work is blocked until the user speaks. */
export function createReviews(
  conversation: ConversationCore,
  { redact, roleOf }: Pick<ConversationServices, "redact" | "roleOf">,
  planning: Pick<Planning, "stage">,
): Part {
  /** By work unit as the plugin knows it: a model may call it what it likes. */
  const ledgers = new Map<string, ReviewLedger>();
  const unit = (): string => conversation.state.workUnit ?? "";
  const change = (step: (ledger: ReviewLedger) => ReviewLedger): void => {
    ledgers.set(unit(), step(ledgers.get(unit()) ?? NEW_WORK));
  };

  const count = (outcome: ReviewerOutcome, problem: string | null): void => {
    const { ledger, decision } = addReview(ledgers.get(unit()) ?? NEW_WORK, outcome);
    ledgers.set(unit(), ledger);
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
    delegationFinished({ agent, outcome }, changed) {
      if (changed) change(noteChange);
      // A review of a plan, or one for advice only, counts for no work.
      const isAdvisory = planning.stage() !== null;
      if (!givesVerdict(roleOf(agent)) || outcome === null || isAdvisory) return;
      // One that broke has reviewed nothing.
      if (outcome.status === "failed" || outcome.status === "cancelled") return;
      count(readOutcome(agent, recordOf(outcome.envelope)["outcome"]), outcome.parseError);
    },
    heard({ type }) {
      if (type === "wave-opened" && ledgers.has(unit())) change(beginWave);
    },
    userSpoke(how) {
      if (how !== "go-on" && how !== "answer") return;
      for (const [key, ledger] of ledgers) ledgers.set(key, forgetReviews(ledger));
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
