import type { Role } from "../../config/roles.ts";
import type { IncomingCall } from "../../host/hook-events.ts";
import { textOf } from "../../lib/json.ts";
import type { Examination } from "../../policy/examination.ts";
import type { SandboxRole } from "../../sandbox/decide.ts";
import type { ExaminedCall } from "../collaboration/decide-call.ts";

const RECORD_TOOL = "plan_gaia";
const READING_OPS = new Set(["read_work_unit", "list_work_units", "verify", "find_pattern"]);

/**
 * A tool call with what only the plugin knows about its own tools and agents.
 * @param kind of the agent: a historian may edit nothing but the record, whose boundary is checked by itself
 */
export function describeCall(
  { tool, args, effect }: Pick<IncomingCall, "tool" | "args" | "effect">,
  agent: string,
  role: SandboxRole,
  examination: Examination,
  kind: Role | null,
): ExaminedCall {
  const isEntry = tool === RECORD_TOOL && !READING_OPS.has(textOf(args["op"]) ?? "");
  const isRecord = isEntry || (kind === "historian" && effect.kind === "edit");
  return { tool, agent, role, examination, isCommand: effect.kind === "command", isRecord };
}

/**
 * Whether a call changes files by itself, which agents that only read are refused without being asked. Their commands run
 * in a sandbox that changes nothing; what a tool does that the user has opened to such an agent is unknown, and
 * OpenCode's permissions decide.
 */
export function changesByItself({ effect }: Pick<IncomingCall, "effect">): boolean {
  return effect.kind === "edit";
}
