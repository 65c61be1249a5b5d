import type { Envelope, VcsType } from "../contracts/contract.ts";
import { isRepairPrompt } from "../contracts/evaluate.ts";
import type { Host, HostMessage, HostSession } from "../host/port.ts";
import { tail } from "../lib/excerpt.ts";
import { numberOf, recordOf, textOf } from "../lib/json.ts";
import { isRefusal, refuse, type Refusal } from "../lib/refusal.ts";
import { CHILD_METADATA_KEY, GIVEN_METADATA_KEY } from "./child-session.ts";
import { MAX_RAW_TEXT, readResult } from "./read-result.ts";
import type { DelegationResult } from "./result.ts";
import type { Specialist } from "./specialist.ts";
import { ended, type TaskOutcome, parseTaskId, taskIdOf } from "./task.ts";

const STOPPED =
  "OpenCode was stopped while this ran. Its work so far is in its session: delegate again with this session_id to go on.";

/**
 * The result of a task that this process did not run, from what its session holds: OpenCode was restarted, or the
 * task is older than the registry remembers (issue: results outlive a restart).
 * @returns a refusal that says precisely what is known when there is no result
 */
export async function rebuildResult(
  host: Host,
  parentId: string,
  taskId: string,
  specialistOf: (name: string) => Specialist | undefined,
  vcs: VcsType,
): Promise<DelegationResult | Refusal> {
  const parsed = parseTaskId(taskId);
  if (parsed === null)
    return refuse(`"${taskId}" is no task id.`, "Use the task_id that delegate_gaia returned.");
  const session = (await host.sessions.children(parentId)).find(({ id }) => id === parsed.sessionId);
  if (session === undefined) {
    return refuse(
      `Nothing is known of task "${taskId}": its session is not one of this conversation.`,
      "Use the task_id that delegate_gaia returned, or leave it out for every task not yet collected.",
    );
  }
  const record = recordOf(session.metadata[CHILD_METADATA_KEY]);
  const latest = numberOf(record["tasks"]) ?? 1;
  if (parsed.number !== latest) {
    return refuse(`The session was resumed since then; collect its newest task instead (number ${latest}).`);
  }
  const messages = await host.sessions.messages(session.id);
  const last = lastOf(session, messages);
  const agent = textOf(record["agent"]) ?? last?.agent ?? "";
  return renderRebuilt(
    taskId,
    agent,
    session,
    { last, repaired: repairedBy(messages) },
    specialistOf(agent),
    vcs,
  );
}

/** The answer that the last one is the repair of; undefined where it is none. */
function repairedBy(messages: readonly HostMessage[]): HostMessage | undefined {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  if (!isRepairPrompt(messages[asked]?.turn.text ?? "")) return undefined;
  return messages.slice(0, asked).findLast(({ role }) => role === "assistant");
}

/** What was said last for the newest task of a session: an answer from before it was resumed is none of it. */
function lastOf(session: HostSession, messages: readonly HostMessage[]): HostMessage | undefined {
  const since = numberOf(recordOf(session.metadata[CHILD_METADATA_KEY])["since"]) ?? 0;
  return messages.slice(since).findLast((message) => message.role === "assistant");
}

function isFinished(last: HostMessage | undefined): last is HostMessage {
  return last !== undefined && last.completed && last.goesOn !== true && last.turn.failure === null;
}

/** The newest task of a specialist's session, as its marks tell; null for a session that is none. */
export function newestTask(
  session: HostSession,
): { id: string; agent: string; isGiven: boolean; workUnit: string | null } | null {
  const record = recordOf(session.metadata[CHILD_METADATA_KEY]);
  const agent = textOf(record["agent"]);
  const number = numberOf(record["tasks"]);
  if (agent === undefined || number === undefined) return null;
  const given = numberOf(session.metadata[GIVEN_METADATA_KEY]) ?? Infinity;
  const workUnit = textOf(record["work_unit"]) ?? null;
  return { id: taskIdOf(session.id, number), agent, isGiven: given >= number, workUnit };
}

export async function hasEnded(host: Host, session: HostSession): Promise<boolean> {
  return isFinished(lastOf(session, await host.sessions.messages(session.id)));
}

/** How a task of an earlier process ended, out of its rebuilt result; null where nothing is known of it. */
export function outcomeOf(result: DelegationResult | Refusal): TaskOutcome | null {
  if (isRefusal(result) || result.status === "running") return null;
  const { status, message = "", parse_error: parseError, raw_text: text } = result;
  return { status, message, envelope: result.parsed_json as Envelope | null, parseError, text };
}

function renderRebuilt(
  taskId: string,
  agent: string,
  session: HostSession,
  { last, repaired }: Record<"last" | "repaired", HostMessage | undefined>,
  specialist: Specialist | undefined,
  vcs: VcsType,
): DelegationResult {
  const contract = specialist?.contract ?? null;
  const text = last === undefined ? null : tail(last.turn.text, MAX_RAW_TEXT) || null;
  const workUnit = textOf(recordOf(session.metadata[CHILD_METADATA_KEY])["work_unit"]) ?? null;
  const origin = { agent, workUnit, sessionId: session.id, vcs };
  const outcome: TaskOutcome = !isFinished(last)
    ? { ...ended("failed", STOPPED), text }
    : contract === null
      ? { ...ended("completed", ""), text }
      : repaired === undefined
        ? readResult(contract, origin, last.turn, null)
        : readResult(contract, origin, repaired.turn, last.turn);
  const { status, envelope, parseError, message } = outcome;
  return {
    task_id: taskId,
    session_id: session.id,
    agent,
    status: status === "cancelled" ? "failed" : status,
    model_used: last?.model ?? null,
    parsed_json: envelope,
    raw_text: outcome.text,
    parse_error: parseError,
    ...(message === "" ? {} : { message }),
    attempts: [],
    duration_ms: 0,
    tokens: session.tokens,
    cost: session.cost,
  };
}
