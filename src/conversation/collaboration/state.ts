import type { Knobs } from "../../config/knobs.ts";
import { EMPTY_BATCH } from "./batch.ts";
import type { CheckinPacket } from "./checkin-packet.ts";
import type { ApprovalRequest, PlannedWave, QuestionPurpose } from "./events.ts";
import { type CollaborationDefaults, applyProfile, initialKnobs } from "./knobs.ts";
import type { SavedState } from "./saved-state.ts";

export type Wave = NonNullable<SavedState["wave"]>;
export type Pause = NonNullable<SavedState["pause"]>;

export const NOTHING_SPENT: SavedState["spent"] = { toolCalls: 0, failures: 0, activeMs: 0 };

export interface PendingPermission {
  readonly kind: "permission";
  readonly requestId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly approval: ApprovalRequest | null;
  /** Set when what it would approve was overtaken while the dialog was open. */
  readonly stale: boolean;
}

export interface PendingQuestion {
  readonly kind: "question";
  readonly requestId: string;
  readonly purpose: QuestionPurpose;
  readonly questions: readonly string[];
}

/** How GAIA and the user work together in one root session; plain JSON throughout (SPEC 8). */
export interface CollaborationState extends Omit<SavedState, "version"> {
  readonly at: number;
  readonly ended: boolean;
  /** What the user's yes to a plan opens without another dialog. */
  readonly opens: (PlannedWave & { readonly workUnit: string }) | null;
  /** The root's turn is over and the user has not written yet. */
  readonly idle: boolean;
  readonly pending: readonly (PendingPermission | PendingQuestion)[];
  readonly delegations: readonly {
    readonly sessionId: string;
    readonly agent: string;
    readonly changed: boolean;
  }[];
  /** The row of the last rejection, as long as its reason may still follow. */
  readonly rejection: DecisionRow | null;
}

export const RAMP_START = { batches: 0, asked: false };

export function initialState(
  rootSession: string,
  defaults: CollaborationDefaults,
  at: number,
): CollaborationState {
  return {
    rootSession,
    at,
    ended: false,
    knobs: initialKnobs(defaults),
    handshake: "due",
    ramp: RAMP_START,
    workUnit: null,
    wave: null,
    opens: null,
    pause: null,
    batch: EMPTY_BATCH,
    lastBatch: EMPTY_BATCH,
    verdicts: [],
    spent: NOTHING_SPENT,
    idle: false,
    pending: [],
    delegations: [],
    rejection: null,
  };
}

/** Where nothing is known of what the user had allowed, or forbidden. */
export function lockedState(
  rootSession: string,
  defaults: CollaborationDefaults,
  at: number,
): CollaborationState {
  const state = initialState(rootSession, defaults, at);
  return { ...state, knobs: { ...state.knobs, mode: "locked" } };
}

/** For a specialist whom the user called by name outside of GAIA's conversations: the policy holds, nothing is paced or shown. */
export function guestState(
  rootSession: string,
  defaults: CollaborationDefaults,
  at: number,
): CollaborationState {
  const mode = defaults.mode === "locked" ? "locked" : "supervised";
  const knobs: Knobs = { ...applyProfile("standard"), mode, visibility: "quiet" };
  return { ...initialState(rootSession, defaults, at), knobs, handshake: "settled" };
}

export function mayOpen(
  { ended, opens }: CollaborationState,
  workUnit: string,
  planned: PlannedWave | undefined,
): boolean {
  if (ended || opens === null || planned === undefined) return false;
  return opens.workUnit === workUnit && opens.wave === planned.wave && opens.plan === planned.plan;
}

export function hasApprovedWave(state: CollaborationState): boolean {
  return !state.ended && state.wave !== null && state.wave.approved;
}

/** A row for the work unit's `decisions.md` (SPEC 10). */
export interface DecisionRow {
  /** The same for a row and its later, more complete version: the store keeps one row per key. */
  readonly key: string;
  readonly at: number;
  readonly workUnit: string | null;
  readonly type: "question" | "rejection" | "mode_switch" | "wave_approval" | "pair_feedback" | "approval";
  readonly question: string;
  readonly answer: string;
  readonly rationale?: string;
  readonly impact: string;
}

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
  | { readonly type: "checkin"; readonly packet: CheckinPacket }
  | { readonly type: "prefill"; readonly text: string }
  /** Text that goes to the model with the user's message, so that the feedback leads to the right delegation. */
  | { readonly type: "steer"; readonly text: string }
  /** An approval without a pending request; nothing changed, the log should know. */
  | { readonly type: "forged-approval"; readonly requestId: string; readonly claim: string };

export interface Reduced {
  readonly state: CollaborationState;
  readonly effects: readonly CollaborationEffect[];
}

/** One event at work: a copy of the state, which transitions change in place (its values are replaced whole), and what follows. */
export interface StateDraft {
  readonly state: { -readonly [Key in keyof CollaborationState]: CollaborationState[Key] };
  readonly defaults: CollaborationDefaults;
  emit(...effects: readonly CollaborationEffect[]): void;
}

type RowFacts = Omit<DecisionRow, "at" | "workUnit"> & { readonly workUnit?: string };

export function rowNow({ at, workUnit }: CollaborationState, about: RowFacts): DecisionRow {
  return { at, workUnit, ...about };
}
