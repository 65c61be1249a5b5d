import { givesVerdict } from "../../config/roles.ts";
import { hasNotReviewed } from "../../delegation/read-result.ts";
import { readOutcome, type ReviewerOutcome } from "../../review/outcome.ts";
import {
  addReview,
  beginWave,
  forgetReviews,
  keepLedgers,
  NEW_WORK,
  noteChange,
  restoreLedgers,
  type ReviewLedger,
} from "./review-ledger.ts";
import { recordOf } from "../../lib/json.ts";
import { openObjections, type StandingVerdict } from "../collaboration/verdicts.ts";
import type { ConversationCore } from "../core.ts";
import type { Lanes } from "../lanes/lanes.ts";
import type { Planning } from "../planning/stage.ts";
import type { Part } from "../part.ts";
import { triedIn, type Runs } from "../runs/runs.ts";
import type { ConversationServices } from "../services.ts";

const FIX_ROUND =
  "REJECT: one fix round for this work. Send it to the agent it belongs to, then have it reviewed again; a second REJECT is BLOCKED.";

/** What stands against the work, by what its reviewers said. */
export interface Reviews extends Part {
  /**
   * The worst objection that was neither fixed and looked at again nor overruled by the user; null where nothing stands.
   * @param workUnit whose, null for work without a unit; left out for those of the whole conversation
   */
  openObjection(workUnit?: string | null): OpenObjection | null;
  /** The same for what is about to close a unit: where the conversation knows of none, its reviews were of this one. */
  closing(workUnit: string | null): OpenObjection | null;
}

/** Why work cannot be closed. */
export type OpenObjection = Pick<StandingVerdict, "reviewer" | "verdict" | "reason" | "workUnit">;

/** Lets the outcomes of reviewers count (SPEC 12): one fix round, then the work is blocked until the user speaks. */
export function createReviews(
  conversation: ConversationCore,
  { redact, roleOf, host }: Pick<ConversationServices, "redact" | "roleOf" | "host">,
  planning: Pick<Planning, "stage">,
  lanes: Pick<Lanes, "wantsRed">,
  runs: Pick<Runs, "isUnderWay">,
): Reviews {
  /** By work unit as the plugin knows it: a model may call it what it likes. */
  let ledgers = new Map<string, ReviewLedger>();
  const unit = (): string => conversation.state.workUnit ?? "";
  /** What a delegation that runs was begun for: by its end the conversation may be about something else. */
  const units = new Map<string, string>();
  const change = (of: string, step: (ledger: ReviewLedger) => ReviewLedger): void => {
    ledgers.set(of, step(ledgers.get(of) ?? NEW_WORK));
    conversation.keep();
  };

  const remember = (of: string, outcome: ReviewerOutcome, assumed: boolean): void => {
    const { reviewer, verdict, reason = "" } = outcome;
    const role = roleOf(reviewer) ?? "";
    const said = { workUnit: of, reviewer, role, verdict, reason: redact(reason), assumed };
    conversation.dispatch({ type: "reviewed", given: said });
    if (!assumed) return;
    void host.toast("warning", `${reviewer} named no verdict, even when asked for it; it counts as APPROVE.`);
  };

  const count = (of: string, outcome: ReviewerOutcome, problem: string | null): void => {
    const { ledger, decision } = addReview(ledgers.get(of) ?? NEW_WORK, outcome);
    ledgers.set(of, ledger);
    conversation.keep();
    if (outcome.verdict !== "APPROVE" || problem !== null) {
      void conversation.log("Review", redact(renderOutcome(outcome, problem)));
    }
    // A run sends it back by itself.
    if (decision.kind === "fix-round" && !runs.isUnderWay()) conversation.tell(FIX_ROUND);
    if (decision.kind !== "blocked") return;
    conversation.dispatch({
      type: "blocked",
      reason: redact(decision.reason),
      nextStep: redact(decision.nextStep),
    });
  };

  const openObjection: Reviews["openObjection"] = (workUnit) => {
    const of = workUnit === undefined ? null : (workUnit ?? "");
    const open = openObjections(conversation.state.verdicts, of);
    return open.find(({ verdict }) => verdict === "BLOCKED") ?? open[0] ?? null;
  };

  return {
    openObjection,
    closing: (workUnit) =>
      openObjection(workUnit ?? conversation.state.workUnit) ??
      (conversation.state.workUnit === null ? openObjection(null) : null),
    delegationStarted({ id }) {
      units.set(id, unit());
    },
    delegationFinished({ id, agent, callId, outcome }, changed) {
      const of = units.get(id) ?? unit();
      units.delete(id);
      if (changed) {
        change(of, noteChange);
        conversation.dispatch({ type: "work-changed", workUnit: of });
      }
      // A review of a plan, or one for advice only, counts for no work.
      const isAdvisory = planning.stage() !== null;
      // A test that fails before the fix is what a bug asks for, and speaks against nothing.
      if (roleOf(agent) === "tester" && lanes.wantsRed()) return;
      if (!givesVerdict(roleOf(agent)) || outcome === null || isAdvisory) return;
      // Most candidates go, and the host judges them all.
      if (triedIn(callId) !== null) return;
      const written = recordOf(outcome.envelope)["outcome"];
      const read = readOutcome(agent, written);
      // One that broke has reviewed nothing, but what it objected to before stands.
      if (hasNotReviewed(outcome, outcome.envelope) && read.verdict === "APPROVE") return;
      remember(of, read, written === undefined);
      count(of, read, outcome.parseError);
    },
    heard({ type }) {
      if (type === "wave-opened" && ledgers.has(unit())) change(unit(), beginWave);
    },
    userSpoke(how) {
      if (ledgers.size === 0 || (how !== "go-on" && how !== "answer")) return;
      for (const [key, ledger] of ledgers) ledgers.set(key, forgetReviews(ledger));
      conversation.keep();
    },
    snapshot: () => (ledgers.size === 0 ? undefined : keepLedgers(ledgers)),
    restore(saved) {
      ledgers = restoreLedgers(saved);
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
