import type { Knobs } from "../../config/knobs.ts";
import { recordOf } from "../../lib/json.ts";
import type { Seal } from "../../lib/seal.ts";
import type { ApprovalRequest, PlannedWave } from "./approval-kinds.ts";
import { type Batch, EMPTY_BATCH } from "./batch.ts";
import type { CheckinPacket } from "./checkin-packet.ts";
import type { EventOf } from "./events.ts";
import { type CollaborationDefaults, applyProfile, initialKnobs } from "./knobs.ts";
import type { StandingVerdict } from "./verdicts.ts";

export interface Wave {
  readonly id: string;
  readonly workUnit: string;
  /** Whether requests inside it are answered for the user; true only after a human allowed this very wave. */
  readonly approved: boolean;
}

export interface Pause {
  readonly reason: "step" | "batch" | "budget" | "abort" | "blocked";
  /** In words: for a budget which one and how far, for blocked work the reason and the next step. */
  readonly detail: string;
  /** The child whose contract its check-in packet waits for, at most until the turn ends; null once it is shown. */
  readonly sessionId: string | null;
}

/** What of a session's state goes into its metadata: small, plain JSON, and nothing that ends with the process. */
export interface SavedState {
  /** Rises with each change of the shape: what another version has kept is of no use. */
  readonly version: 2;
  readonly rootSession: string;
  readonly knobs: Knobs;
  /**
   * `due` until the user said in an answer or by a command how to work together on this request; after that `settled`. A
   * further unit of the same request asks nothing: `spent` once its unit was left, `earlier` when the user has asked for more since.
   */
  readonly handshake: "due" | "settled" | "spent" | "earlier";
  /** By /cadence or in the configuration; a profile sets another. */
  readonly isCadenceChosen: boolean;
  /** Batches that were paired on in pair_ramp. */
  readonly rampBatches: number;
  readonly workUnit: string | null;
  readonly wave: Wave | null;
  readonly pause: Pause | null;
  /** Since the last check-in. */
  readonly batch: Batch;
  readonly verdicts: readonly StandingVerdict[];
  /** `activeMs`: milliseconds of work; waiting for the user does not count. */
  readonly spent: { readonly toolCalls: number; readonly failures: number; readonly activeMs: number };
}

export const NOTHING_SPENT: SavedState["spent"] = { toolCalls: 0, failures: 0, activeMs: 0 };

export type PendingPermission = Omit<EventOf<"permission-asked">, "type" | "approval"> & {
  readonly kind: "permission";
  readonly approval: ApprovalRequest | null;
  /** Set when what it would approve was overtaken while the dialog was open. */
  readonly stale: boolean;
};
export type PendingQuestion = Omit<EventOf<"question-asked">, "type"> & { readonly kind: "question" };
export type Pending = PendingPermission | PendingQuestion;

/** How GAIA and the user work together in one root session; plain JSON throughout (SPEC 8). */
export interface CollaborationState extends Omit<SavedState, "version">, Passing {}

/** What ends with the process. */
interface Passing {
  readonly at: number;
  readonly ended: boolean;
  /** What the user's yes to a plan opens without another dialog. */
  readonly opens: (PlannedWave & { readonly workUnit: string }) | null;
  /** The root's turn is over and the user has not written yet. */
  readonly idle: boolean;
  readonly pending: readonly Pending[];
  readonly delegations: readonly { readonly sessionId: string; readonly changed: boolean }[];
  /** The row of the last rejection, as long as its reason may still follow. */
  readonly rejection: DecisionRow | null;
}

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
    isCadenceChosen: defaults.checkinCadence !== undefined,
    rampBatches: 0,
    workUnit: null,
    wave: null,
    opens: null,
    pause: null,
    batch: EMPTY_BATCH,
    verdicts: [],
    spent: NOTHING_SPENT,
    idle: false,
    pending: [],
    delegations: [],
    rejection: null,
  };
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

export function snapshotState(state: CollaborationState): SavedState {
  const { at: _at, ended: _ended, idle: _idle, opens: _opens, pending: _pending, ...rest } = state;
  const { delegations: _delegations, rejection: _rejection, ...kept } = rest;
  return { version: 2, ...kept };
}

/** The snapshot with the seal of the user's key: every client of OpenCode can write metadata, and sessions can be imported. */
export function sealState(state: CollaborationState, seal: Seal): SavedState & { readonly seal: string } {
  const saved = snapshotState(state);
  return { ...saved, seal: seal(JSON.stringify(saved)) };
}

/**
 * The state out of a snapshot, null for one that this user's plugin has not written, or not in this shape; never throws. The wave's
 * approval and open dialogs are not restored. A fork has the metadata of its original: settings, unit and verdicts go on there, the
 * rest stays with the original.
 * @param rootSession the session whose metadata it is
 */
export function restoreState(
  json: unknown,
  rootSession: string,
  defaults: CollaborationDefaults,
  at: number,
  seal: Seal,
): CollaborationState | null {
  const { seal: sealed, ...given } = recordOf(json);
  if (given["version"] !== 2 || sealed !== seal(JSON.stringify(given))) return null;
  const { version: _version, ...kept } = given as unknown as SavedState;
  const fresh = { ...initialState(rootSession, defaults, at), idle: true };
  if (kept.rootSession === rootSession)
    return { ...fresh, ...kept, wave: kept.wave && { ...kept.wave, approved: false } };
  const { knobs, handshake, isCadenceChosen, rampBatches, workUnit, verdicts } = kept;
  return { ...fresh, knobs, handshake, isCadenceChosen, rampBatches, workUnit, verdicts };
}

export function mayOpen(
  { ended, opens }: CollaborationState,
  workUnit: string,
  planned: PlannedWave | undefined,
): boolean {
  if (ended || opens === null || planned === undefined) return false;
  return opens.workUnit === workUnit && opens.wave === planned.wave && opens.plan === planned.plan;
}

export function hasApprovedWave({ ended, wave }: CollaborationState): boolean {
  return !ended && wave?.approved === true;
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

/** What has to happen outside because of an event; data, to be carried out in order. */
export type CollaborationEffect =
  | { readonly type: "toast"; readonly variant: "info" | "warning" | "error"; readonly message: string }
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
  | { readonly type: "steer"; readonly text: string; readonly isQuestion?: true };

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

export function decide({ state, emit }: StateDraft, about: RowFacts): void {
  emit({ type: "decision", row: rowNow(state, about) });
}
