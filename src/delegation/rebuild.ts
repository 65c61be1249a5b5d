import { isRepairPrompt } from "../contracts/evaluate.ts";
import type { Host, HostMessage, HostSession } from "../host/port.ts";
import { tail } from "../lib/text.ts";
import { refuse, type Refusal } from "../lib/error.ts";
import { readChildMark, TITLE_MARK } from "./child-session.ts";
import { MAX_RAW_TEXT, readResult } from "./read-result.ts";
import type { Specialist } from "./specialist.ts";
import { createTask, ended, type Task, type TaskOutcome, parseTaskId, taskIdOf } from "./task.ts";

const STOPPED =
  "OpenCode was stopped while this ran. Its work so far is in its session: delegate again with this session_id to go on.";

/**
 * The result of a task that this process did not run, from what its session holds: OpenCode was restarted, or the
 * task is older than the registry remembers (issue: results outlive a restart).
 * @returns a refusal that says precisely what is known when there is no result
 */
export async function rebuildTask(
  host: Host,
  parentId: string,
  taskId: string,
  specialistOf: (name: string) => Specialist | undefined,
): Promise<Task | Refusal> {
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
  const { tasks: latest = 1 } = readChildMark(session) ?? {};
  if (parsed.number !== latest) {
    return refuse(`The session was resumed since then; collect its newest task instead (number ${latest}).`);
  }
  return rebuildNewest(host, parentId, session, specialistOf);
}

/** The newest task of a child session, from what that holds. */
export async function rebuildNewest(
  host: Host,
  parentId: string,
  session: HostSession,
  specialistOf: (name: string) => Specialist | undefined,
): Promise<Task> {
  const { agent: marked, since = 0, tasks = 1, workUnit = null } = readChildMark(session) ?? {};
  const messages = await host.sessions.messages(session.id);
  // An answer from before it was resumed is none of its newest task's.
  const last = messages.slice(since).findLast(({ role }) => role === "assistant");
  const agent = marked ?? last?.agent ?? "";
  const outcome = outcomeOf(messages, last, specialistOf(agent)?.contract ?? null);
  const title = session.title.split(TITLE_MARK).slice(1).join(TITLE_MARK);
  const identity = { agent, parentId, callId: "", sessionId: session.id, background: true, title };
  return {
    ...createTask({ ...identity, id: taskIdOf(session.id, tasks), workUnit, waveId: null }, 0),
    status: outcome.status,
    startedAt: 0,
    endedAt: 0,
    model: last?.model ?? null,
    tokens: session.tokens,
    cost: session.cost,
    outcome,
  };
}

/** The answer that the last one is the repair of; undefined where it is none. */
function repairedBy(messages: readonly HostMessage[]): HostMessage | undefined {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  if (!isRepairPrompt(messages[asked]?.turn.text ?? "")) return undefined;
  return messages.slice(0, asked).findLast(({ role }) => role === "assistant");
}

function isFinished(last: HostMessage | undefined): last is HostMessage {
  return last !== undefined && last.completed && last.goesOn !== true && last.turn.failure === null;
}

/** The id of the newest task of a specialist's session, as its marks tell; null for a session that is none. */
export function newestTaskIn(session: HostSession): string | null {
  const { agent, tasks } = readChildMark(session) ?? {};
  return agent === undefined || tasks === undefined ? null : taskIdOf(session.id, tasks);
}

/** Whether OpenCode was stopped while a rebuilt task ran. */
export function wasInterrupted({ outcome }: Pick<Task, "outcome">): boolean {
  return outcome?.message === STOPPED;
}

function outcomeOf(
  messages: readonly HostMessage[],
  last: HostMessage | undefined,
  contract: Specialist["contract"],
): TaskOutcome {
  const text = last === undefined ? null : tail(last.turn.text, MAX_RAW_TEXT) || null;
  if (!isFinished(last)) return { ...ended("failed", STOPPED), text };
  if (contract === null) return { ...ended("completed", ""), text };
  const repaired = repairedBy(messages);
  return repaired === undefined
    ? readResult(contract, last.turn, null)
    : readResult(contract, repaired.turn, last.turn);
}
