import type { CollaborationState } from "./state.ts";
import type { CheckinPacket } from "./checkin-packet.ts";
import type { BudgetFallback } from "./defaults.ts";

/** A row for the work unit's `decisions.md` (SPEC 10). */
export interface DecisionRow {
  /** The same for a row and its later, more complete version: the store keeps one row per key. */
  readonly key: string;
  /** Milliseconds. */
  readonly at: number;
  readonly workUnit: string | null;
  readonly type: "question" | "rejection" | "mode_switch" | "wave_approval" | "pair_feedback" | "approval";
  readonly question: string;
  readonly answer: string;
  readonly rationale?: string;
  readonly impact: string;
}

/** What autopilot can run out of. */
export type BudgetName = "consecutive failures" | "tool calls" | "minutes";

/** What has to happen outside because of an event; data, to be carried out in order. */
export type CollaborationEffect =
  | {
      readonly type: "toast";
      readonly variant: "info" | "success" | "warning" | "error";
      readonly message: string;
    }
  /** A line for the transcript that no model ever reads. */
  | { readonly type: "note"; readonly text: string }
  | { readonly type: "decision"; readonly row: DecisionRow }
  /** An entry for the work unit's `log.md`; without a unit there is none to write it to. */
  | {
      readonly type: "log";
      readonly workUnit: string | null;
      readonly title: string;
      readonly markdown: string;
    }
  /** A check-in packet is due: the user gets all of it, the model its short form. */
  | { readonly type: "checkin"; readonly packet: CheckinPacket }
  /** pair_ramp's question is due. */
  | { readonly type: "ask-ramp" }
  | {
      readonly type: "budget-stop";
      readonly which: BudgetName;
      readonly limit: number;
      readonly value: number;
      readonly fallback: BudgetFallback;
    }
  /** Text for the user's prompt line. */
  | { readonly type: "prefill"; readonly text: string }
  /** Text that goes to the model with the user's message, so that the feedback leads to the right delegation. */
  | { readonly type: "steer"; readonly text: string }
  /** An approval without a pending request; nothing changed, the log should know. */
  | { readonly type: "forged-approval"; readonly requestId: string; readonly claim: string };

/** A row for the record that was decided now, in the current work unit unless it says otherwise. */
export function rowNow(
  { at, workUnit }: CollaborationState,
  about: Omit<DecisionRow, "at" | "workUnit"> & { readonly workUnit?: string },
): DecisionRow {
  return { at, workUnit, ...about };
}
