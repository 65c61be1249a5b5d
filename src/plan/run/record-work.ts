import { agentName } from "../../agents/registry.ts";
import { partOfCall } from "../../delegation/task.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { endOf, give } from "./give.ts";
import { byNumber, type Run, type TaskEnd } from "./run.ts";

const MAX_NOTES = 40;
/** The plugin writes what the historian hands over; without these the provider has its tools cached, which are the readers'. */
const NOT_NEEDED = ["edit", "plan_gaia", "recall_gaia"];
const BESIDE = "Its review, and its revision, come into the log by themselves: nothing of them is told here.";
/** What was done stands in the record without it, so that a run does not wait long for a historian of whom nothing is heard. */
const LIMITS = { stallMs: 60_000, toolStallMs: 60_000, totalMs: 240_000 };

export type RunRecord = ReturnType<typeof createRunRecord>;

export function createRunRecord() {
  const told = new Map<number, TaskEnd>();
  let notes = 0;
  let session: string | null = null;
  let last: Promise<TaskEnd | null> | null = null;

  const write = async (run: Run, closing: string): Promise<TaskEnd | null> => {
    const { runtime, conversation, call, unit } = run;
    const historian = runtime.agents.specialists.get(agentName("historian"));
    const earlier = conversation.parts.runs.unrecorded(unit).filter(({ task }) => !run.ends.has(task));
    const fresh = byNumber(run.ends).filter(([task, end]) => told.get(task) !== end);
    if (historian === undefined || fresh.length + earlier.length === 0) return null;
    for (const [task, end] of fresh) told.set(task, end);
    const said = run.notes.slice(notes);
    notes = run.notes.length;
    const checked = conversation.tree.verifier.last()?.summary ?? "";
    const tasks = [
      ...earlier.map(
        ({ task, agent, note }) => `- task ${task}, ${agent}, in an earlier run: ${note || "done"}`,
      ),
      ...fresh.map(
        ([task, { agent, state, problem }]) =>
          `- task ${task}, ${agent}, ${state}${problem === "" ? "" : `: ${problem}`}`,
      ),
    ];
    const prompt = [
      session === null
        ? `TASK: Record this work of ${unit}.`
        : "TASK: Record what has changed since, and nothing of before.",
      "CONTEXT",
      ...tasks.slice(0, MAX_NOTES),
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
      limits: LIMITS,
      callId: partOfCall(call.callId, session === null ? "record" : "record.2"),
    });
    await conversation.parts.workRecord.settled();
    const end = endOf(historian, result);
    session = end.session;
    return end;
  };

  return {
    /** Has her begin once the work is proven: neither do its review and its revision need her, nor she them. */
    begin(run: Run): void {
      last ??= write(run, ` ${BESIDE}`);
    },
    /** Has her write down what she was not told of, and waits for it. What cannot be recorded is told, and holds nothing up. */
    async finish(run: Run): Promise<void> {
      const before = await last;
      const hasFailed = before !== null && before.state !== "done";
      // What she was not told of waits for the next run.
      const end = (hasFailed ? null : await write(run, "")) ?? before;
      if (end !== null) run.notes.push(end.state === "done" ? "recorded" : `not recorded: ${end.problem}`);
    },
    async settled(): Promise<void> {
      await last;
    },
  };
}
