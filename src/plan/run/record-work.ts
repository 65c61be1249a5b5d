import { agentName } from "../../agents/registry.ts";
import { partOfCall } from "../../delegation/task.ts";
import { excerpt } from "../../lib/text.ts";
import { endOf, give } from "./give.ts";
import { byNumber, type Run, type TaskEnd } from "./run.ts";

const MAX_NOTES = 40;
/** The plugin writes what the historian hands over; without these the provider has its tools cached, which are the readers'. */
const NOT_NEEDED = ["edit", "plan_gaia", "recall_gaia"];
/** What was done stands in the record without it, so that a run does not wait long for a historian of whom nothing is heard. */
const LIMITS = { stallMs: 60_000, toolStallMs: 60_000, totalMs: 240_000 };

/** Has the historian record a run, once, beside its review and its revision: neither needs it. What follows comes into the log by itself, or is told with the next run. */
export function beginRecord(run: Run): void {
  run.recorded.end ??= record(run);
}

/** Waits for it. What cannot be recorded is told, and holds nothing up. */
export async function finishRecord(run: Run): Promise<void> {
  beginRecord(run);
  const end = await run.recorded.end;
  if (end !== null) run.notes.push(end.state === "done" ? "recorded" : `not recorded: ${end.problem}`);
}

async function record(run: Run): Promise<TaskEnd | null> {
  const { runtime, conversation, call, unit, ends } = run;
  const historian = runtime.agents.specialists.get(agentName("historian"));
  const earlier = conversation.parts.runs.unrecorded(unit).filter(({ task }) => !ends.has(task));
  if (historian === undefined || ends.size + earlier.length === 0) return null;
  const tasks = [
    ...earlier.map(
      ({ task, agent, note }) => `- task ${task}, ${agent}, in an earlier run: ${note || "done"}`,
    ),
    ...byNumber(ends).map(
      ([task, { agent, state, problem }]) =>
        `- task ${task}, ${agent}, ${state}${problem === "" ? "" : `: ${problem}`}`,
    ),
  ];
  const checked = conversation.tree.verifier.last()?.summary ?? "";
  const prompt = [
    `TASK: Record this work of ${unit}.`,
    "CONTEXT",
    ...tasks.slice(0, MAX_NOTES),
    ...run.notes.slice(0, MAX_NOTES).map((note) => `- ${excerpt(note, 300)}`),
    ...(checked === "" ? [] : [`- ${checked}`]),
    "The plan's tasks are ticked already. Its review, and its revision, come into the log by themselves: nothing of them is told here.",
  ].join("\n");
  const result = await give(run, {
    specialist: historian,
    title: `Record ${unit}`,
    prompt,
    resume: null,
    waveId: null,
    isBeside: true,
    without: NOT_NEEDED,
    limits: LIMITS,
    callId: partOfCall(call.callId, "record"),
  });
  await conversation.parts.workRecord.settled();
  return endOf(historian, result);
}
