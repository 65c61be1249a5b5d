import type { ApprovalRequest } from "./events.ts";
import type { Outcome } from "./outcome.ts";
import { outcome } from "./outcome.ts";
import type { CollaborationState } from "./state.ts";
import { hasApprovedWave } from "./state.ts";

/**
 * Takes the current wave's approval away (SPEC 8, "Waves"); the wave itself goes on, and is asked for again.
 * @param cause why, as the end of a sentence: "the mode was set"
 */
export function endApproval(state: CollaborationState, cause: string): Outcome {
  if (state.wave === null || !hasApprovedWave(state)) return outcome(state);
  return outcome(
    { ...state, wave: { ...state.wave, approved: false } },
    { type: "note", text: `The approval of wave ${state.wave.id} ended: ${cause}. You are asked again.` },
  );
}

/** Marks open approval dialogs of waves that were overtaken: a yes that comes after does not count any more. */
export function outdateWaves(
  state: CollaborationState,
  isOutdated: (approval: Extract<ApprovalRequest, { kind: "wave" }>) => boolean,
): CollaborationState {
  const pending = state.pending.map((request) => {
    if (request.kind !== "permission" || request.approval?.kind !== "wave") return request;
    return isOutdated(request.approval) ? { ...request, stale: true } : request;
  });
  return { ...state, pending };
}
