import { excerpt } from "../../lib/excerpt.ts";
import type { Verdict } from "./decide-permission.ts";
import type { CollaborationState } from "./state.ts";
import { whyPaused } from "./why-paused.ts";

/** A tool call of a GAIA session that is about to run. */
export interface ToolCall {
  readonly tool: string;
  readonly verdict: Verdict;
  /** Who calls. */
  readonly agent: string;
  /** The policy's words for its verdict. */
  readonly reason?: string;
  /** The piece of a command that decided the verdict. */
  readonly part?: string;
  /** The sensitive file that the call would read or write. */
  readonly sensitive?: string;
  /** Whether it writes nothing but the record below `.gaia/`. */
  readonly isRecord?: boolean;
}

/** Whether a call runs. */
export type ToolCallDecision =
  | { readonly allow: true }
  /** What was refused, why, and what would be allowed; for the model. */
  | { readonly allow: false; readonly message: string };

/**
 * Whether a tool call may run (SPEC 8, 9). A gate: whatever is not plainly allowed is refused.
 * @param readOnlyAgents agents that may only read, GAIA among them
 */
export function decideToolCall(
  state: CollaborationState,
  call: ToolCall,
  readOnlyAgents: readonly string[],
): ToolCallDecision {
  const refusal =
    refuseAlways(call) ?? (call.verdict === "read-only" ? null : refuseChange(state, call, readOnlyAgents));
  return refusal === null ? { allow: true } : { allow: false, message: refusal };
}

function refuseAlways(call: ToolCall): string | null {
  if (call.verdict === "dangerous") {
    return `Refused ${call.tool}: a dangerous operation${whyOf(call)}, refused in every mode. Use a narrower command, or tell the user what to run by hand.`;
  }
  if (call.sensitive === undefined) return null;
  return `Refused ${call.tool}: ${excerpt(call.sensitive, 160)} may hold secrets. Work without it, from an example file if there is one; the user can allow it under policy.allowSensitive.`;
}

function refuseChange(
  state: CollaborationState,
  call: ToolCall,
  readOnlyAgents: readonly string[],
): string | null {
  const { tool, agent, isRecord = false } = call;
  if (state.ended) return `Refused ${tool}: the session has ended.`;
  if (state.knobs.mode === "locked") {
    return `Refused ${tool}${whyOf(call)}: the session is locked, nothing may be changed. Reading, searching and read-only commands work. The user unlocks with /supervised or /autopilot.`;
  }
  if (isRecord) return null;
  if (readOnlyAgents.includes(agent)) {
    return `Refused ${tool}${whyOf(call)}: ${agent} only reads. Read, search, and run commands that only print; what has to change goes into your result for an editing specialist.`;
  }
  return state.pause === null ? null : `Refused ${tool}: ${whyPaused(state.pause)}`;
}

/** What was refused and why, as the policy saw it; nothing where it saw no more than the tool's name tells. */
function whyOf({ part, reason = "", isRecord = false }: ToolCall): string {
  if (reason === "" || isRecord) return "";
  const what = part === undefined ? "" : `\`${excerpt(part, 80)}\`: `;
  return ` (${what}${excerpt(reason, 160)})`;
}
