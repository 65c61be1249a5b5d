import type { CollaborationState, PendingPermission, PendingQuestion } from "./state.ts";

/** Open dialogs that are remembered; more at once means that their sessions died without a word. */
const MOST_PENDING = 64;

/** Registers an open dialog; one that is known already keeps its first form. */
export function remember(
  state: CollaborationState,
  request: PendingPermission | PendingQuestion,
): CollaborationState {
  if (state.pending.some((known) => known.requestId === request.requestId)) return state;
  return { ...state, pending: [...state.pending, request].slice(-MOST_PENDING) };
}

/** Takes a dialog off the list: it was answered, and a second answer counts for nothing. */
export function forget(state: CollaborationState, requestId: string): CollaborationState {
  return { ...state, pending: state.pending.filter((known) => known.requestId !== requestId) };
}

export function findPermission(state: CollaborationState, requestId: string): PendingPermission | undefined {
  return state.pending.find(
    (known): known is PendingPermission => known.kind === "permission" && known.requestId === requestId,
  );
}

export function findQuestion(state: CollaborationState, requestId: string): PendingQuestion | undefined {
  return state.pending.find(
    (known): known is PendingQuestion => known.kind === "question" && known.requestId === requestId,
  );
}
