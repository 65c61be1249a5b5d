import { MAKER, nameOf } from "../../agents/registry.ts";
import { partOfCall } from "../../delegation/call-part.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { recordOf } from "../../lib/json.ts";
import { runApproval } from "../plan-approvals.ts";
import { endOf, give } from "./give.ts";
import { haltOf, type Halt } from "./halt.ts";
import { planNow, type Run } from "./run.ts";

const MAX_NOTES = 40;

/** Has the change committed, through the gate of every revision: the user is asked where they decide. @returns why it was not */
export async function commitWork(run: Run, wave: string): Promise<Halt | null> {
  const { runtime, conversation, call, unit } = run;
  const plan = await planNow(run);
  const approval = await runApproval("request_approval", {
    runtime,
    conversation,
    call,
    plan,
    args: { kind: "revision", title: plan.title },
  });
  if (isRefusal(approval)) return haltOf(approval);
  const maker = specialistNamed(run, MAKER);
  if (maker === undefined) {
    return { status: "decision", why: `${MAKER}, who makes revisions, is disabled.`, next: "Tell the user." };
  }
  // Who wrote most of it last knows best what belongs to it.
  const writer = conversation.parts.runs.of(unit).findLast(({ agent }) => agent === maker.name);
  const result = await give(run, {
    specialist: maker,
    title: "Create the revision",
    prompt: `TASK: Create one revision of the work on "${excerpt(plan.title, 100)}", with a message in the manner of the project's history. Add exactly the files of this work by path, change nothing else, and return revision_ids.`,
    resume: writer?.session ?? null,
    waveId: wave,
    callId: partOfCall(call.callId, "commit"),
  });
  const end = endOf(maker, result);
  if (end.state !== "done") {
    return {
      status: conversation.state.pause === null ? "decision" : "user",
      why: `The revision was not made: ${end.problem}`,
      next: "Settle that and run again.",
    };
  }
  const ids = recordOf(recordOf(isRefusal(result) ? {} : result.parsed_json)["data"])["revision_ids"];
  run.notes.push(`revision: ${Array.isArray(ids) ? ids.map(String).join(", ") : end.line}`);
  return null;
}

/** Has the historian write down what this run has done. What cannot be recorded is told, and holds nothing up. */
export async function recordWork(run: Run): Promise<void> {
  const { call, ends, notes, runtime } = run;
  const historian = specialistNamed(run, nameOf("historian"));
  if (historian === undefined || ends.size === 0) return;
  const work = [...ends].map(
    ([task, { agent, state, line, problem }]) => `- task ${task}, ${agent}, ${state}: ${line || problem}`,
  );
  const checked = runtime.verifier.last()?.summary ?? "";
  const prompt = [
    `TASK: Record this work of ${run.unit}.`,
    "CONTEXT",
    ...work.slice(0, MAX_NOTES),
    ...notes.slice(0, MAX_NOTES).map((note) => `- ${excerpt(note, 300)}`),
    ...(checked === "" ? [] : [`- ${checked}`]),
    "The plan's tasks are ticked already.",
  ].join("\n");
  const result = await give(run, {
    specialist: historian,
    title: `Record ${run.unit}`,
    prompt,
    resume: null,
    waveId: null,
    callId: partOfCall(call.callId, "record"),
  });
  await run.conversation.parts.workRecord.settled();
  const { state, problem } = endOf(historian, result);
  notes.push(state === "done" ? "recorded" : `not recorded: ${problem}`);
}

function specialistNamed({ runtime }: Run, name: string): Specialist | undefined {
  return runtime.agents.specialists.get(name);
}
