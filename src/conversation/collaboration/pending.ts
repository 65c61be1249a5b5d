import type { CollaborationState, PendingPermission, PendingQuestion } from "./state.ts";

/** Open dialogs that are remembered; more at once means that their sessions died without a word. */
const MAX_PENDING = 64;

/** Registers an open dialog. */
export function remember(
  state: CollaborationState,
  request: PendingPermission | PendingQuestion,
): CollaborationState {
  return { ...state, pending: [...state.pending, request].slice(-MAX_PENDING) };
}

/** Takes a dialog off the list: it was answered, and a second answer counts for nothing. */
export function forget(state: CollaborationState, requestId: string): CollaborationState {
  return { ...state, pending: state.pending.filter((known) => known.requestId !== requestId) };
}

/** The open permission dialog of this id; undefined when it was never asked or is answered. */
export function findPermission(state: CollaborationState, requestId: string): PendingPermission | undefined {
  return state.pending.find(
    (known): known is PendingPermission => known.kind === "permission" && known.requestId === requestId,
  );
}

/** The open question of this id; undefined when it was never asked or is answered. */
export function findQuestion(state: CollaborationState, requestId: string): PendingQuestion | undefined {
  return state.pending.find(
    (known): known is PendingQuestion => known.kind === "question" && known.requestId === requestId,
  );
}
