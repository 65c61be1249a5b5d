import { recordOf, textOf } from "../../lib/json.ts";
import type { Examination } from "../../policy/examination.ts";
import type { ExaminedCall } from "../collaboration/decide-call.ts";

/** The agent whose commands are the project's checks. */
const CHECKER = "aether";
const RECORD_TOOL = "plan_gaia";
const READING_OPS = new Set(["read_work_unit", "list_work_units", "verify"]);
/** Tools that change files or run programs by themselves; what an unknown tool does, nobody knows. */
const NATIVE_CHANGES = new Set(["bash", "edit", "write", "multiedit", "patch", "apply_patch"]);

/**
 * A tool call with what only the plugin knows about its own tools and agents.
 * @param historian the agent that may edit nothing but the record; its folder is the record's boundary's to check
 */
export function describeCall(
  { tool, args, agent }: { readonly tool: string; readonly args: unknown; readonly agent: string },
  examination: Examination,
  historian: string,
): ExaminedCall {
  const input = recordOf(args);
  const call = { tool, agent, examination, mayCheck: agent === CHECKER };
  if (tool === "delegate_gaia") return { ...call, delegateTo: textOf(input["agent"]) ?? "" };
  const isEntry = tool === RECORD_TOOL && !READING_OPS.has(textOf(input["op"]) ?? "");
  const isRecord = isEntry || (agent === historian && (tool === "edit" || tool === "write"));
  return { ...call, isRecord };
}

/**
 * Whether the agent is refused changes by this tool without being asked. A tool that the user has opened to a reading
 * agent in the configuration is not refused on these grounds: what it does is unknown, and OpenCode's permissions decide.
 */
export function onlyReads({ tool, agent }: ExaminedCall, readers: readonly string[]): boolean {
  return NATIVE_CHANGES.has(tool) && (agent === CHECKER || readers.includes(agent));
}
