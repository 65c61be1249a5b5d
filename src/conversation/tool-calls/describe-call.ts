import type { Role } from "../../config/roles.ts";
import type { ToolCall } from "../collaboration/decide-tool-call.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { Judged } from "../../policy/load-policy.ts";

const RECORD_TOOL = "plan_gaia";
const READING_OPS = new Set(["read_work_unit", "list_work_units", "verify"]);
/** Tools that change files or run programs by themselves; what an unknown tool does, nobody knows. */
const NATIVE_CHANGES = new Set(["bash", "edit", "write", "multiedit", "patch", "apply_patch"]);

/** Who calls what, as OpenCode's hooks tell it. */
export interface RawCall {
  readonly tool: string;
  readonly args: unknown;
  readonly agent: string;
}

/**
 * A tool call in the words of the collaboration rules: the policy's verdict with what only the plugin knows about its
 * own tools and agents put in.
 * @param role of the agent: a historian may edit nothing but the record, a checker runs the project's checks in any mode
 */
export function describeCall(
  { tool, args, agent }: RawCall,
  { isCheck = false, ...judged }: Judged,
  role: Role | null,
): ToolCall {
  const input = recordOf(args);
  const { verdict } = judged;
  const call = { tool, agent, ...judged };
  if (tool === RECORD_TOOL && !READING_OPS.has(textOf(input["op"]) ?? "")) {
    return { ...call, verdict: "mutating", isRecord: true };
  }
  // Its folder is the record's boundary's to check, by real path.
  if (role === "historian" && (tool === "edit" || tool === "write")) return { ...call, isRecord: true };
  const mayRun = role === "checker" && verdict === "mutating" && isCheck;
  return mayRun ? { ...call, verdict: "read-only" } : call;
}

/**
 * The agents that are refused this change without being asked. A tool that the user has opened to a reading agent in the
 * configuration is not refused on these grounds: what it does is unknown, and OpenCode's permissions decide.
 */
export function refusedAgents(tool: string, readers: readonly string[]): readonly string[] {
  return NATIVE_CHANGES.has(tool) ? readers : [];
}
