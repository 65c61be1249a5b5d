import { agentName } from "../../agents/registry.ts";
import { callOf, partOfCall, type Task } from "../../delegation/task.ts";
import type { Clock } from "../../lib/clock.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { endOf, give } from "./give.ts";
import { byNumber, type Run, type TaskEnd } from "./run.ts";

const MAX_NOTES = 40;
/** The plugin writes what the historian hands over; without these the provider has its tools cached, which are the readers'. */
const NOT_NEEDED = ["edit", "plan_gaia", "recall_gaia"];
const BESIDE = "Its review, and its revision, come into the log by themselves: nothing of them is told here.";

export type RunRecord = ReturnType<typeof createRunRecord>;

export function createRunRecord() {
  const told = new Map<number, TaskEnd>();
  let notes = 0;
  let session: string | null = null;
  let last: Promise<string | null> | null = null;
  let isCut = false;

  const write = async (run: Run, closing: string): Promise<string | null> => {
    const { runtime, conversation, call, unit } = run;
    const historian = runtime.agents.specialists.get(agentName("historian"));
    const earlier = conversation.parts.runs.unrecorded(unit).filter(({ task }) => !run.ends.has(task));
    const fresh = byNumber(run.ends).filter(([task, end]) => told.get(task) !== end);
    if (historian === undefined || fresh.length + earlier.length === 0) return null;
    for (const [task, end] of fresh) told.set(task, end);
    const said = run.notes.slice(notes);
    notes = run.notes.length;
    const checked = conversation.tree.verifier.last()?.summary ?? "";
    const prompt = [
      session === null
        ? `TASK: Record this work of ${unit}.`
        : "TASK: Record what has changed since, and nothing of before.",
      "CONTEXT",
      ...[
        ...earlier.map(
          ({ task, agent, note }) => `- task ${task}, ${agent}, in an earlier run: ${note || "done"}`,
        ),
        ...fresh.map(
          ([task, { agent, state, problem }]) =>
            `- task ${task}, ${agent}, ${state}${problem === "" ? "" : `: ${problem}`}`,
        ),
      ].slice(0, MAX_NOTES),
      ...said.slice(0, MAX_NOTES).map((note) => `- ${excerpt(note, 300)}`),
      ...(checked === "" ? [] : [`- ${checked}`]),
      `The plan's tasks are ticked already.${closing}`,
    ].join("\n");
    const result = await give(run, {
      specialist: historian,
      title: `Record ${unit}`,
      prompt,
      resume: session,
      waveId: null,
      isBeside: true,
      without: NOT_NEEDED,
      callId: partOfCall(call.callId, session === null ? "record" : "record.2"),
    });
    await conversation.parts.workRecord.settled();
    const end = endOf(historian, result);
    session = end.session;
    return end.state === "done" ? "recorded" : `not recorded: ${end.problem}`;
  };

  const ended = async (run: Run, work: Promise<string | null> | null): Promise<string | null> => {
    const { runtime, conversation, call } = run;
    const { clock, engine } = runtime;
    const agent = agentName("historian");
    const isIt = (task: Task): boolean =>
      task.agent === agent && task.outcome === null && callOf(task.callId) === call.callId;
    const task = (): Task | undefined => conversation.tasks().find(isIt);
    return awaitRecord(Promise.resolve(work), {
      clock,
      task,
      cut(id, reason) {
        isCut = true;
        engine.cut(id, reason);
      },
    });
  };

  return {
    /** Has her begin once the work is proven: neither do its review and its revision need her, nor she them. */
    begin(run: Run): void {
      last ??= write(run, ` ${BESIDE}`);
    },
    /** Has her write down what she was not told of, and waits for it. What cannot be recorded is told, and holds nothing up. */
    async finish(run: Run): Promise<void> {
      const before = await ended(run, last);
      // What she was not told of waits for the next run.
      const now = isCut ? before : ((await ended(run, write(run, ""))) ?? before);
      if (now !== null) run.notes.push(now);
    },
    async settled(run: Run): Promise<void> {
      await ended(run, last);
    },
  };
}

/** So long a historian may be silent once a run waits for nothing else, in milliseconds. */
const SILENT_MS = 60_000;
/** So long it is waited for in all, what the user has to answer not counted. */
const WAIT_MS = 240_000;
const LOOK_MS = 5_000;

export interface RecordTask {
  readonly clock: Clock;
  task(): Pick<Task, "id" | "status" | "heardAt" | "startedAt"> | undefined;
  cut(taskId: string, reason: string): void;
}

/** Ends a historian of whom nothing is heard: what was done stands in the record without it. */
export async function awaitRecord<T>(work: Promise<T>, { clock, task, cut }: RecordTask): Promise<T> {
  let waited = 0;
  let cancel: () => void = () => undefined;
  const look = (): void => {
    cancel = clock.after(LOOK_MS, look);
    const now = task();
    if (now === undefined || now.status === "waiting-for-human") return;
    waited += LOOK_MS;
    const silent = now.startedAt === null ? 0 : clock.now() - now.heardAt;
    if (silent >= SILENT_MS) cut(now.id, "nothing was heard of it, and all else was done");
    else if (waited >= WAIT_MS) cut(now.id, "it was still at work long after all else was done");
  };
  cancel = clock.after(LOOK_MS, look);
  try {
    return await work;
  } finally {
    cancel();
  }
}
