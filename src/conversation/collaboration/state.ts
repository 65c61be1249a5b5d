import * as z from "zod/mini";
import { KNOB_NAMES, type KnobName, type Knobs, type KnobValue, valuesOf } from "../../config/knobs.ts";
import { lazy } from "../../lib/async.ts";
import { IN_ENGLISH, orElse } from "../../lib/schema.ts";
import type { WorkStore } from "../../work-tree/work-store.ts";
import type { ApprovalRequest, PlannedWave } from "./approval-kinds.ts";
import { EMPTY_BATCH } from "./batch.ts";
import type { CheckinPacket } from "./checkin-packet.ts";
import type { EventOf } from "./events.ts";
import { type CollaborationDefaults, applyProfile, initialKnobs, MODES } from "./knobs.ts";

/** What of a session's state goes into its metadata: small, plain JSON, and nothing that ends with the process. */
const savedStateSchema = lazy(() => {
  const count = z.int().check(z.gte(0));
  const text = z.string().check(z.maxLength(1_000));
  const file = z.object({
    path: text,
    added: count,
    removed: count,
    /** What lines do not tell: that it was deleted, moved, made a program. */
    note: z.optional(text),
    /** Why a mistake in it would cost much, in a few words. */
    risk: z.optional(text),
  });
  const command = z.object({
    command: text,
    /** null when the command did not end by itself, or when it is another tool without files, named in its place. */
    exitCode: z.nullable(z.int()),
    /** The end of its output, already free of secrets. */
    output: text,
  });
  /** What happened since the last check-in, bounded. */
  const batch = z.object({
    files: z.array(file).check(z.maxLength(100)),
    commands: z.array(command).check(z.maxLength(100)),
    added: count,
    removed: count,
    /** Edits of files beyond the list, and commands that newer ones pushed out of it. */
    omittedFiles: count,
    omittedCommands: count,
    /** Commands of which it is not known what they changed. */
    unseen: z._default(count, 0),
    /** What an agent's contract says about its work; only the words, the figures are measured. */
    report: z.object({ rationale: text, risk: text, nextStep: text }),
    /** The checks that ran last, a line each. */
    checked: z._default(z.array(text).check(z.maxLength(20)), []),
    /** Where the plan stands: how much of it is proven, claimed and stale; empty when nobody looked. */
    evidence: z._default(text, ""),
  });
  /** The newest verdict of one reviewer on one work unit. */
  const verdict = z.object({
    /** Empty for work without a unit. */
    workUnit: text,
    reviewer: text,
    /** What the reviewer is there for: another of the same role may look again in its place. */
    role: text,
    /** null: not reviewed. It holds the work up until a reviewer of the same role gives a verdict, or the user goes on without. */
    verdict: z.nullable(z.enum(["APPROVE", "REJECT", "BLOCKED"])),
    reason: text,
    /** What an objection is about, a line each; empty for anything else. */
    findings: z._default(z.array(text), []),
    at: z.number(),
    /** `open`: it holds the work up; `fixed`: so still, but there is something new to look at; else how it was settled. */
    standing: z.enum(["open", "fixed", "settled", "overruled"]),
  });
  const wave = z.object({
    id: text,
    workUnit: text,
    /** Whether requests inside it are answered for the user; true only after a human allowed this very wave. */
    approved: z.boolean(),
  });
  const pause = z.object({
    reason: z.enum(["step", "batch", "wave", "budget", "abort", "blocked"]),
    /** In words: for a budget which one and how far, for blocked work the reason and the next step. */
    detail: text,
    /** The child whose contract the check-in packet waits for, at most until the turn ends; null to wait for none. */
    sessionId: z.nullable(text),
    checkinDue: z.boolean(),
  });
  const knobs = KNOB_NAMES.map((knob) => [knob, z.enum(valuesOf(knob))]);
  return z.object({
    version: z.literal(1),
    rootSession: text,
    knobs: z.object(Object.fromEntries(knobs) as { [N in KnobName]: z.ZodMiniType<KnobValue<N>> }),
    /**
     * `due` until the user said in an answer or by a command how to work together on this request; after that `settled`. A
     * further unit of the same request asks nothing: `spent` once its unit was left, `earlier` when the user has asked for more since.
     */
    handshake: orElse(z.enum(["due", "settled", "spent", "earlier"]), "due"),
    /** By /cadence or in the configuration; a profile sets another. */
    isCadenceChosen: z._default(z.boolean(), false),
    /** Batches that were paired on in pair_ramp. */
    rampBatches: z._default(count, 0),
    workUnit: z.nullable(text),
    wave: z.nullable(wave),
    pause: z.nullable(pause),
    /** Since the last check-in, and the one before it: what "undo last" means after work went on. */
    batch,
    lastBatch: batch,
    verdicts: z._default(z.array(verdict).check(z.maxLength(100)), []),
    /** `activeMs`: milliseconds of work; waiting for the user does not count. */
    spent: z.object({ toolCalls: count, failures: count, activeMs: z.number().check(z.gte(0)) }),
  });
});

type Frozen<T> = T extends readonly (infer Each)[]
  ? readonly Frozen<Each>[]
  : T extends object
    ? { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;

export type SavedState = Frozen<z.infer<ReturnType<typeof savedStateSchema>>>;
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
 * The state out of a snapshot; never throws. The wave's approval and open dialogs are not restored: metadata is no human's word.
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
  const {
    knobs,
    handshake,
    isCadenceChosen,
    rampBatches,
    workUnit,
    wave,
    verdicts,
    rootSession: from,
  } = kept;
  const fresh = { ...initialState(rootSession, defaults, at), idle: true };
  const state =
    from === rootSession
      ? { ...fresh, ...kept, wave: wave && { ...wave, approved: false } }
      : { ...fresh, knobs, handshake, isCadenceChosen, rampBatches, workUnit, verdicts };
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

export function decide({ state, emit }: StateDraft, about: RowFacts): void {
  emit({ type: "decision", row: rowNow(state, about) });
}
