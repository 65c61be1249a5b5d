import { GIVEN_METADATA_KEY, TITLE_MARK } from "../../delegation/child-session.ts";
import { hasEnded, newestTask } from "../../delegation/rebuild.ts";
import { parseTaskId, callOf } from "../../delegation/task.ts";
import type { HostSession } from "../../host/port.ts";
import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { WorkRecord } from "../record/work-record.ts";
import type { ConversationServices } from "../services.ts";

/** How long a turn waits for what OpenCode knows of earlier tasks, in milliseconds. */
const PATIENCE_MS = 5_000;
/** As many are looked at; a user with more of them open has other worries. */
const MAX_LEFT = 12;
/**
 * How long after GAIA was given a result that is noted, in milliseconds: OpenCode has to have stored what she was given. Killed
 * in between, she is told of it once more.
 */
const NOTE_MS = 100;
/** The same for what is not in the record yet. */
const WAIT_MS = 1_000;
/** Without a unit to write it to nothing comes into the record; then a new process finds it and asks once more. */
const MAX_WAITS = 60;

/** A task that an earlier process of OpenCode began and whose end GAIA was not given. */
export interface LeftTask {
  readonly id: string;
  readonly agent: string;
  readonly sessionId: string;
  /** The first words of what it was to do. */
  readonly what: string;
  readonly workUnit: string | null;
  /** Whether its result is there; else it was interrupted. */
  readonly ended: boolean;
}

/**
 * The tasks that outlive their process (SPEC 5): each child session tells by its own marks, made together with it, whether
 * the end of its newest task was given to GAIA, so that a kill at any moment loses none.
 */
export interface LeftTasks extends Part {
  /** Those that are still open, newest sessions last. Never rejects; empty where OpenCode does not tell. */
  list(): Promise<readonly LeftTask[]>;
}

export function createLeftTasks(
  { rootId, tasks, each }: Pick<ConversationCore, "rootId" | "tasks" | "each">,
  { host, clock, sessions }: Pick<ConversationServices, "host" | "clock" | "sessions">,
  record: Pick<WorkRecord, "isWaiting">,
): LeftTasks {
  const given = new Map<string, () => void>();
  /** Those of them that are not noted yet. */
  const unnoted = new Set<string>();
  let found: Promise<readonly LeftTask[]> | null = null;

  const read = async (session: HostSession): Promise<LeftTask[]> => {
    const task = newestTask(session);
    if (task === null || task.isGiven) return [];
    const { id, agent, workUnit } = task;
    const what = session.title.split(TITLE_MARK).slice(1).join(TITLE_MARK);
    const ended = await hasEnded(host, session);
    return [{ id, agent, sessionId: session.id, what, workUnit, ended }];
  };
  const readAll = async (): Promise<readonly LeftTask[]> => {
    const own = new Set(tasks().map(({ sessionId }) => sessionId));
    const children = (await host.sessions.children(rootId)).filter(({ id }) => !own.has(id));
    const open = children.filter((child) => newestTask(child)?.isGiven === false);
    return (await Promise.all(open.slice(-MAX_LEFT).map(read))).flat();
  };
  const ask = async (): Promise<readonly LeftTask[]> => {
    // A session that began under our eyes has nothing from before.
    if (sessions.isNew(rootId)) return [];
    try {
      return await bounded(readAll(), PATIENCE_MS, clock, "what was left open");
    } catch (error) {
      host.logger.log("warn", "left-tasks", describeError(error), { rootId });
      found = null;
      return [];
    }
  };
  const noteLater = (taskId: string, ms: number, waits = 0): void => {
    given.set(
      taskId,
      clock.after(ms, () => {
        // Killed before it is in the record, it has to be found again.
        if (!record.isWaiting(taskId)) void note(taskId);
        else if (waits < MAX_WAITS) noteLater(taskId, WAIT_MS, waits + 1);
      }),
    );
  };
  const note = async (taskId: string): Promise<void> => {
    unnoted.delete(taskId);
    const task = parseTaskId(taskId);
    if (task === null) return;
    try {
      await host.sessions.setMetadata(task.sessionId, { [GIVEN_METADATA_KEY]: task.number });
    } catch (error) {
      host.logger.log("debug", "left-tasks", describeError(error), { taskId });
    }
  };

  return {
    async list() {
      found ??= ask();
      const left = await found;
      // One whose session works again is a task of this process.
      const resumed = new Set(tasks().map(({ sessionId }) => sessionId));
      return left.filter(({ id, sessionId }) => !given.has(id) && !resumed.has(sessionId));
    },
    taskGiven(taskId) {
      if (given.has(taskId)) return;
      unnoted.add(taskId);
      noteLater(taskId, NOTE_MS);
    },
    observe(event, isRoot) {
      // The answer of the very call that waited for a task has been stored, or the user stopped it.
      if (!isRoot || event.type !== "tool.activity") return;
      if (event.status !== "completed" && event.status !== "error") return;
      for (const { id, callId, background, outcome } of tasks())
        if (callOf(callId) === event.callId && !background && outcome !== null)
          each((part) => part.taskGiven?.(id));
    },
    dispose() {
      for (const cancel of given.values()) cancel();
    },
    // `opencode run` ends sooner than that: the next one would tell of work that was interrupted where none was.
    async flush() {
      const due = [...unnoted].filter((id) => !record.isWaiting(id));
      const noted = Promise.all(due.map(note));
      await bounded(noted, PATIENCE_MS, clock, "what GAIA was given").catch(() => undefined);
    },
  };
}
