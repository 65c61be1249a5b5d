import type { Knobs } from "../../config/knobs.ts";
import { IN_ENGLISH } from "../../lib/schema.ts";
import type { WorkStore } from "../own-work/store.ts";
import type { ApprovalRequest, PlannedWave } from "./approval-kinds.ts";
import { EMPTY_BATCH } from "./batch.ts";
import type { CheckinPacket } from "./checkin-packet.ts";
import type { EventOf } from "./events.ts";
import { type CollaborationDefaults, applyProfile, initialKnobs, MODES } from "./knobs.ts";
import { savedStateSchema, type SavedState } from "./saved-state.ts";

export type Wave = NonNullable<SavedState["wave"]>;
export type Pause = NonNullable<SavedState["pause"]>;

export const NOTHING_SPENT: SavedState["spent"] = { toolCalls: 0, failures: 0, activeMs: 0 };

export type PendingPermission = Omit<EventOf<"permission-asked">, "type" | "approval"> & {
  readonly kind: "permission";
  readonly approval: ApprovalRequest | null;
  /** Set when what it would approve was overtaken while the dialog was open. */
  readonly stale: boolean;
};
export type PendingQuestion = Omit<EventOf<"question-asked">, "type"> & { readonly kind: "question" };
export type Pending = PendingPermission | PendingQuestion;

/** What ends with the process. */
interface Passing {
  readonly at: number;
  readonly ended: boolean;
  /** What the user's yes to a plan opens without another dialog. */
  readonly opens: (PlannedWave & { readonly workUnit: string }) | null;
  /** The root's turn is over and the user has not written yet. */
  readonly idle: boolean;
  readonly pending: readonly Pending[];
  readonly delegations: readonly {
    readonly sessionId: string;
    readonly agent: string;
    readonly changed: boolean;
  }[];
  /** The row of the last rejection, as long as its reason may still follow. */
  readonly rejection: DecisionRow | null;
}

/** How GAIA and the user work together in one root session; plain JSON throughout (SPEC 8). */
export interface CollaborationState extends Omit<SavedState, "version">, Passing {}

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
  return { version: 1, ...kept };
}

/**
 * The state out of a snapshot; never throws. The wave's approval and open dialogs are not picked up: metadata is no human's word.
 * A fork has the metadata of its original: settings, unit and verdicts go on there, the rest stays with the original.
 * @param rootSession the session whose metadata it is
 */
export function restoreState(
  json: unknown,
  rootSession: string,
  defaults: CollaborationDefaults,
  at: number,
):
  | { readonly ok: true; readonly state: CollaborationState; readonly from: string }
  | { readonly ok: false; readonly reason: string } {
  const parsed = savedStateSchema().safeParse(json, IN_ENGLISH);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return { ok: false, reason: `${issue?.path.join(".") || "snapshot"}: ${issue?.message ?? "unreadable"}` };
  }
  const { version: _version, ...kept } = parsed.data;
  const { knobs, ramp, workUnit, wave, verdicts, rootSession: from } = kept;
  const handshake = kept.handshake === "asked" ? "due" : kept.handshake;
  const fresh = { ...initialState(rootSession, defaults, at), idle: true };
  const state =
    from === rootSession
      ? { ...fresh, ...kept, handshake, wave: wave && { ...wave, approved: false } }
      : { ...fresh, knobs, handshake, ramp, workUnit, verdicts };
  return { ok: true, from, state };
}

export function noteMode({ rootSession, knobs: { mode } }: CollaborationState, store: WorkStore): void {
  store.save(modeFile(rootSession), () => ({ mode }));
}

function modeFile(rootId: string): string {
  return `mode-${rootId}`;
}

/**
 * Metadata may come with somebody else's session (`opencode import`): more runs unasked than by default only where the user said
 * so on this machine. @param from the conversation that wrote them: this one, or the one that it is a fork of
 */
export async function asSetHere(
  state: CollaborationState,
  from: string,
  defaults: CollaborationDefaults,
  store: WorkStore,
): Promise<CollaborationState> {
  const { rootSession, knobs } = state;
  const { mode } = initialKnobs(defaults);
  if (MODES.indexOf(knobs.mode) <= MODES.indexOf(mode)) return state;
  const { mode: own } = await store.load(modeFile(from));
  if (own !== knobs.mode) return { ...state, knobs: { ...knobs, mode } };
  if (from !== rootSession) store.save(modeFile(rootSession), () => ({ mode: own }));
  return state;
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
  | { readonly type: "steer"; readonly text: string };

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
