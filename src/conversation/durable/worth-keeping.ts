import type { CollaborationState } from "../collaboration/state.ts";

/** What a crash must not take: what the user has set or stopped, and where the work stands. The rest may be a moment old. */
export function isWorthKeeping(before: CollaborationState, after: CollaborationState): boolean {
  const { knobs, handshake, workUnit, wave, pause, verdicts } = before;
  return (
    verdicts !== after.verdicts ||
    knobs !== after.knobs ||
    handshake !== after.handshake ||
    workUnit !== after.workUnit ||
    wave !== after.wave ||
    pause !== after.pause
  );
}
