import type { Host, HostSession, ModelId } from "../host/port.ts";
import { excerpt } from "../lib/text.ts";
import { numberOf, recordOf, textOf } from "../lib/json.ts";
import { isRefusal, refuse, type Refusal } from "../lib/error.ts";
import type { DelegationResult } from "./result.ts";
import type { WatchdogLimits } from "./run-task.ts";
import type { TaskStore } from "./task-store.ts";
import type { Specialist } from "./specialist.ts";
import { taskIdOf } from "./task.ts";

/** The key of a child session's metadata under which the engine keeps what a restart must not lose. */
export const CHILD_METADATA_KEY = "gaia_child";

/** What the mark of a specialist's session says; null for a session without one. */
export function readChildMark({ metadata }: Pick<HostSession, "metadata">) {
  const mark = metadata[CHILD_METADATA_KEY];
  if (mark === undefined) return null;
  const record = recordOf(mark);
  return {
    agent: textOf(record["agent"]),
    workUnit: textOf(record["work_unit"]) ?? null,
    waveId: textOf(record["wave_id"]) ?? null,
    worktree: textOf(record["worktree"]),
    /** How many tasks were begun in it; undefined where the user speaks with the specialist there. */
    tasks: numberOf(record["tasks"]),
    /** The number of messages before the newest of them. */
    since: numberOf(record["since"]) ?? 0,
    /** The conversation whose specialist the user speaks with there. */
    talkOf: textOf(record["talk_of"]),
  };
}

/** What stands between the name and the first words of the task in a session's title. */
export const TITLE_MARK = " › ";

const MAX_NAMED = 5;

/** Opens a session in which the user speaks with a specialist of the conversation `rootId`. @throws GaiaError when OpenCode does not answer */
export async function openTalk(
  host: Pick<Host, "sessions">,
  { agent, rootId, about }: { readonly agent: string; readonly rootId: string; readonly about: string },
): Promise<string> {
  const session = await host.sessions.create({
    parentId: null,
    agent,
    title: excerpt(`${agent}${TITLE_MARK}with you${about && `: ${about}`}`, 80),
    metadata: { [CHILD_METADATA_KEY]: { agent, talk_of: rootId } },
  });
  return session.id;
}

export interface Delegation {
  readonly specialist: Specialist;
  readonly prompt: string;
  readonly title: string;
  readonly parentId: string;
  readonly callId: string;
  readonly sessionModel: ModelId | null;
  readonly background: boolean;
  readonly resume: string | null;
  readonly workUnit: string | null;
  readonly waveId: string | null;
  readonly worktree?: ChildWorktree | undefined;
  /** Permissions of the specialist's that it does not need for this; a new session is made without their tools. */
  readonly without?: readonly string[] | undefined;
  /** Called with the session that it runs in, before that is prompted. */
  readonly opened?: ((sessionId: string) => void) | undefined;
  /** Its end is waited for from now on. @param letGo ends that: the task goes on in the background @returns to be called at the end */
  readonly waited?: ((letGo: () => void) => () => void) | undefined;
  /** What follows its end before anyone is told of it; what it says is told with the result. */
  readonly ends?: ((result: DelegationResult) => Promise<string>) | undefined;
  /** Its own bounds in place of the configured ones. */
  readonly limits?: Partial<WatchdogLimits> | undefined;
  readonly abort: AbortSignal;
}

export interface ChildWorktree {
  readonly folder: string;
  /** From now on the calls of this session are made in there; called before it is prompted. */
  enter(sessionId: string): void;
}

export interface Child {
  readonly session: HostSession;
  readonly taskId: string;
}

/**
 * Opens the session that a task runs in: a new child of the parent, or the one to be resumed.
 * @returns a refusal when the session to resume is unknown, someone else's, or busy
 * @throws GaiaError when OpenCode does not answer
 */
export async function openChild(
  host: Host,
  tasks: TaskStore,
  delegation: Delegation,
): Promise<Child | Refusal> {
  const child = await findChild(host, tasks, delegation);
  if (isRefusal(child)) return child;
  delegation.worktree?.enter(child.session.id);
  delegation.opened?.(child.session.id);
  return child;
}

async function findChild(host: Host, tasks: TaskStore, delegation: Delegation): Promise<Child | Refusal> {
  const { resume } = delegation;
  if (resume === null) return createChild(host, delegation);
  // Two calls of one answer may name the same session, and it takes questions to the host before a task stands in it.
  if (!tasks.claim(resume)) {
    return refuse(
      `Another task begins in session "${resume}" now.`,
      "One task at a time: wait for its result.",
    );
  }
  try {
    return await resumeChild(host, tasks, delegation, resume);
  } finally {
    tasks.unclaim(resume);
  }
}

async function createChild(host: Host, delegation: Delegation): Promise<Child> {
  const { specialist, parentId, workUnit, waveId, worktree, without } = delegation;
  const session = await host.sessions.create({
    without,
    ...(worktree === undefined ? {} : { opens: worktree.folder }),
    parentId,
    agent: specialist.name,
    title: `${specialist.name}${TITLE_MARK}${excerpt(delegation.title, 60)}`,
    metadata: {
      [CHILD_METADATA_KEY]: {
        agent: specialist.name,
        work_unit: workUnit,
        wave_id: waveId,
        tasks: 1,
        ...(worktree === undefined ? {} : { worktree: worktree.folder }),
      },
    },
  });
  return { session, taskId: taskIdOf(session.id, 1) };
}

async function resumeChild(
  host: Host,
  tasks: TaskStore,
  delegation: Delegation,
  sessionId: string,
): Promise<Child | Refusal> {
  const { specialist, parentId } = delegation;
  // A made-up id is never asked for: what OpenCode says of one reads like a fault that passes.
  const children = await host.sessions.children(parentId);
  const session = children.find(({ id }) => id === sessionId);
  if (session === undefined) {
    const named = children.slice(-MAX_NAMED).map(({ id, title }) => `${id} (${excerpt(title, 40)})`);
    return refuse(
      `No specialist of this conversation has the session "${excerpt(sessionId, 80)}".`,
      `Leave session_id out to start a new one${named.length === 0 ? "" : `, or pass one of ${named.join(", ")}`}.`,
    );
  }
  const mark = readChildMark(session);
  const owner = mark?.agent ?? specialist.name;
  if (owner !== specialist.name) {
    return refuse(
      `Session "${sessionId}" belongs to ${owner}.`,
      `Resume it with agent "${owner}", or start a new one.`,
    );
  }
  const { worktree } = delegation;
  if (worktree !== undefined && worktree.folder !== mark?.worktree)
    return refuse("That session may not work in a worktree.", "A new one is begun.");
  const open = tasks.openIn(sessionId);
  if (open !== undefined) {
    return refuse(`Task ${open.id} still runs in this session.`, "Collect or cancel it first.");
  }
  const number = (mark?.tasks ?? 0) + 1;
  const { length: since } = await host.sessions.messages(sessionId);
  await host.sessions.setMetadata(sessionId, {
    [CHILD_METADATA_KEY]: {
      ...recordOf(session.metadata[CHILD_METADATA_KEY]),
      agent: specialist.name,
      tasks: number,
      since,
    },
  });
  return { session, taskId: taskIdOf(sessionId, number) };
}
