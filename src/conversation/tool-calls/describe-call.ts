import type { Role } from "../../config/roles.ts";
import type { IncomingCall } from "../../host/hook-events.ts";
import { textOf } from "../../lib/json.ts";
import { type Request, requestOf } from "../../sandbox/ask-for-more.ts";
import { type Examination, isGraver } from "../../policy/examination.ts";
import type { ExaminedCall } from "../collaboration/decide-call.ts";

const RECORD_TOOL = "plan_gaia";
const READING_OPS = new Set(["read_work_unit", "list_work_units", "verify", "find_pattern"]);

/**
 * A tool call with what only the plugin knows about its own tools and agents.
 * @param role of the agent: a historian may edit nothing but the record, whose boundary is checked by itself; a checker runs
 *   the project's checks in any mode
 */
export function describeCall(
  { tool, args, effect }: Pick<IncomingCall, "tool" | "args" | "effect">,
  agent: string,
  examination: Examination,
  role: Role | null,
): ExaminedCall {
  const isEntry = tool === RECORD_TOOL && !READING_OPS.has(textOf(args["op"]) ?? "");
  const isRecord = isEntry || (role === "historian" && effect.kind === "edit");
  const asks = effect.kind === "command" ? requestOf(effect.command) : null;
  const examined = asks === null ? examination : withRequest(examination, asks);
  return { tool, agent, examination: examined, mayCheck: role === "checker", isRecord, asks };
}

/**
 * Whether a call changes files or runs programs by itself, which agents that only read are refused without being asked. A
 * tool that the user has opened to such an agent in the configuration is not refused on these grounds: what it does is
 * unknown, and OpenCode's permissions decide.
 */
export function changesByItself({ effect }: Pick<IncomingCall, "effect">): boolean {
  return effect.kind === "edit" || effect.kind === "command";
}

/** More than a containment gives is outside, whatever the command does with it. */
function withRequest(examination: Examination, asks: Request): Examination {
  if (isGraver(examination.effect, "outside")) return examination;
  const what = asks === "network" ? "with the network" : "without its containment";
  return { ...examination, effect: "outside", reason: `is to run ${what}`, part: null, isCheck: false };
}
