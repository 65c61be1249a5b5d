import { type Batch, EMPTY_BATCH } from "./batch.ts";
import { type CollaborationDefaults, initialKnobs } from "./defaults.ts";
import { applyProfile, type Pace } from "./profiles.ts";
import type { DecisionRow } from "./effects.ts";
import type { ApprovalRequest, PlannedWave, QuestionPurpose } from "./events.ts";
import type { Knobs } from "../../config/knobs.ts";
import type { StandingVerdict } from "./verdicts.ts";

/** The wave that is being worked on. */
export interface Wave {
  readonly id: string;
  readonly workUnit: string;
  readonly title: string;
  /** Whether requests inside it are answered for the user; true only after a human allowed this very wave. */
  readonly approved: boolean;
}

/** Why nothing may change until the user writes. */
export interface Pause {
  readonly reason: Pace | "budget" | "abort" | "blocked";
  /** In words: for a budget which one and how far, for blocked work the reason and the next step. */
  readonly detail: string;
  /** The child whose contract the check-in packet waits for, at most until the turn ends; null to wait for none. */
  readonly sessionId: string | null;
  /** Whether the check-in packet still has to be shown. */
  readonly checkinDue: boolean;
}

/** What counts against the budgets. */
export interface Spent {
  readonly toolCalls: number;
  readonly failures: number;
  /** Milliseconds of work; waiting for the user does not count. */
  readonly activeMs: number;
}

/** A fresh budget. */
export const NOTHING_SPENT: Spent = { toolCalls: 0, failures: 0, activeMs: 0 };

/** An open permission dialog. */
export interface PendingPermission {
  readonly kind: "permission";
  readonly requestId: string;
  readonly sessionId: string;
  readonly tool: string;
  readonly approval: ApprovalRequest | null;
  /** Set when what it would approve was overtaken while the dialog was open. */
  readonly stale: boolean;
}

/** An open question. */
export interface PendingQuestion {
  readonly kind: "question";
  readonly requestId: string;
  readonly purpose: QuestionPurpose;
  readonly questions: readonly string[];
}

/** A specialist's session that is at work for this root. */
interface RunningDelegation {
  readonly sessionId: string;
  readonly agent: string;
  readonly changed: boolean;
}

/** How GAIA and the user work together in one root session; plain JSON throughout (SPEC 8). */
export interface CollaborationState {
  readonly rootSession: string;
  /** Time of the last event, milliseconds. */
  readonly at: number;
  readonly ended: boolean;
  readonly knobs: Knobs;
  /**
   * `due` until the user was asked, or said by a command, how to work together on this request; after that `settled`. A further
   * unit of the same request asks nothing: `spent` once its unit was left, `earlier` when the user has asked for more since.
   */
  readonly handshake: "due" | "asked" | "settled" | "spent" | "earlier";
  readonly ramp: { readonly batches: number; readonly asked: boolean };
  readonly workUnit: string | null;
  readonly wave: Wave | null;
  /** What the user's yes to a plan opens without another dialog. */
  readonly opens: (PlannedWave & { readonly workUnit: string }) | null;
  readonly pause: Pause | null;
  /** Since the last check-in, and the one before it: what "undo last" means after work went on. */
  readonly batch: Batch;
  readonly lastBatch: Batch;
  /** What reviewers said last, by work unit. */
  readonly verdicts: readonly StandingVerdict[];
  readonly spent: Spent;
  /** The root's turn is over and the user has not written yet. */
  readonly idle: boolean;
  readonly pending: readonly (PendingPermission | PendingQuestion)[];
  readonly delegations: readonly RunningDelegation[];
  /** The row of the last rejection, as long as its reason may still follow. */
  readonly rejection: DecisionRow | null;
}

/** pair_ramp before its first batch. */
export const RAMP_START = { batches: 0, asked: false };

/**
 * The state of a root session that has just become a GAIA session.
 * @param at milliseconds
 */
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

/**
 * For a specialist whom the user called by name outside of GAIA's conversations: the policy holds, requests stay the user's,
 * and nothing is asked, paced or shown beyond that.
 */
export function guestState(
  rootSession: string,
  defaults: CollaborationDefaults,
  at: number,
): CollaborationState {
  const mode = defaults.mode === "locked" ? "locked" : "supervised";
  const knobs: Knobs = { ...applyProfile("standard"), mode, visibility: "quiet" };
  return { ...initialState(rootSession, defaults, at), knobs, handshake: "settled" };
}

/** Whether the user's yes to the plan holds for this wave of it. */
export function mayOpen(
  { ended, opens }: CollaborationState,
  workUnit: string,
  planned: PlannedWave | undefined,
): boolean {
  if (ended || opens === null || planned === undefined) return false;
  return opens.workUnit === workUnit && opens.wave === planned.wave && opens.plan === planned.plan;
}

/** Whether a request of this root would be answered for the user because the current wave was allowed. */
export function hasApprovedWave(state: CollaborationState): boolean {
  return !state.ended && state.wave !== null && state.wave.approved;
}
