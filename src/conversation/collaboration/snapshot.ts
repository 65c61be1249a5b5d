import { IN_ENGLISH } from "../../lib/schema.ts";
import type { WorkStore } from "../own-work/store.ts";
import { type CollaborationDefaults, initialKnobs, MODES } from "./knobs.ts";
import { savedStateSchema, type SavedState } from "./saved-state.ts";
import { type CollaborationState, initialState } from "./state.ts";

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
  const { knobs, ramp, workUnit, wave, verdicts } = kept;
  const handshake = kept.handshake === "asked" ? "due" : kept.handshake;
  const fresh = { ...initialState(rootSession, defaults, at), idle: true };
  if (kept.rootSession !== rootSession) {
    const state = { ...fresh, knobs, handshake, ramp, workUnit, verdicts };
    return { ok: true, from: kept.rootSession, state };
  }
  const known = { ...kept, handshake, wave: wave === null ? null : { ...wave, approved: false } };
  return { ok: true, from: rootSession, state: { ...fresh, ...known } };
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
