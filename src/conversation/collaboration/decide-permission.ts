import type { CollaborationDefaults } from "./defaults.ts";
import type { CollaborationState } from "./state.ts";
import { hasApprovedWave } from "./state.ts";
import { whyPaused } from "./why-paused.ts";

/** How the policy judged an operation (SPEC 9). A check that a checker runs counts as read-only (SPEC 8, "Modes"). */
export type Verdict = "read-only" | "mutating" | "dangerous";

/** A permission request of a GAIA session. */
export interface PermissionRequest {
  /** The host's name of the permission, for example `edit`. */
  readonly permission: string;
  readonly verdict: Verdict;
  readonly sessionId: string;
  /** Of the delegation that asks, as it was when it began; null when it named none. */
  readonly workUnit: string | null;
  readonly wave: string | null;
  /** Whether it is one of the plugin's own approval dialogs. */
  readonly isApproval: boolean;
}

/** Who answers, and how. */
export interface PermissionDecision {
  readonly action: "leave-to-human" | "answer-once" | "deny";
  /** Why; with `deny` it is what the model reads. */
  readonly reason: string;
}

/**
 * Who answers a permission request: the human, or the plugin on the user's standing word (SPEC 8, "Modes", "Waves").
 * The plugin's own approvals always go to the human, dangerous operations to nobody. Read-only commands need no approval
 * in any mode; other reading that the host asks for, such as outside the project, does. The host's `doom_loop` is no
 * operation but a brake: autopilot answers it with a refusal, for with a yes the loop would go on for ever.
 */
export function decidePermission(
  state: CollaborationState,
  request: PermissionRequest,
  defaults: CollaborationDefaults,
): PermissionDecision {
  const { mode } = state.knobs;
  if (request.isApproval) return human("approvals are the user's");
  if (request.verdict === "dangerous") {
    return deny("Refused: dangerous operations are refused in every mode; the user can run them by hand.");
  }
  if (state.ended || !isOwn(state, request.sessionId)) return human("not a running session of GAIA's");
  if (request.permission === "doom_loop") {
    if (mode !== "autopilot") return human("the agent repeats itself");
    return deny("Refused: the same call for the third time. Change the approach or return your contract.");
  }
  const changes = request.verdict === "mutating";
  if (!changes && request.permission === "bash") return once("a read-only command");
  if (changes && mode === "locked") {
    return deny("Refused: locked mode is read-only. The user unlocks with /supervised or /autopilot.");
  }
  if (changes && state.pause !== null) return deny(`Refused: ${whyPaused(state.pause)}`);
  if (mode === "autopilot") return once("autopilot");
  return isInApprovedWave(state, request, defaults) ? once("approved wave") : human("supervised");
}

function isInApprovedWave(
  state: CollaborationState,
  request: PermissionRequest,
  { wavePolicy }: CollaborationDefaults,
): boolean {
  if (!hasApprovedWave(state) || request.workUnit !== state.wave?.workUnit) return false;
  if (request.wave === null) return !wavePolicy.enforceWaveId;
  return request.wave === state.wave.id;
}

function isOwn(state: CollaborationState, sessionId: string): boolean {
  return (
    sessionId === state.rootSession || state.delegations.some((running) => running.sessionId === sessionId)
  );
}

function human(reason: string): PermissionDecision {
  return { action: "leave-to-human", reason };
}

function once(reason: string): PermissionDecision {
  return { action: "answer-once", reason };
}

function deny(reason: string): PermissionDecision {
  return { action: "deny", reason };
}
