import { MAKER, nameOf } from "../../agents/registry.ts";
import { callOf, partOfCall } from "../../delegation/call-part.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { refuseUnprovenRevision } from "../../conversation/planning/decide-approval.ts";
import { runApproval } from "../plan-approvals.ts";
import { endOf, give } from "./give.ts";
import { haltOf, type Halt } from "./halt.ts";
import { inOrder, planNow, type Run } from "./run.ts";

const MAX_NOTES = 40;
/** Names the delegation that makes the revision. */
const COMMIT = "commit";
/**
 * Of the historian's, what only one who works on the record by hand needs: the plugin writes what she hands over. Without it
 * she begins with the tools of the readers, which the provider has cached by then.
 */
const NOT_NEEDED = ["edit", "plan_gaia", "recall_gaia"];

/** Has the change committed, through the gate of every revision: the user is asked where they decide. @returns why it was not */
export async function commitWork(run: Run, wave: string): Promise<Halt | null> {
  const { runtime, conversation, call, unit } = run;
  const plan = await planNow(run);
  const { vcs } = conversation.tree;
  if (vcs.kind === "none") {
    run.notes.push("revision: none, the project is under no version control");
    return null;
  }
  // It was committed by an earlier run. In Jujutsu there is always something to describe.
  if (vcs.kind !== "jj" && (await vcs.uncommitted(call.abort))?.length === 0) {
    // Who made it may have been cut off once it was made.
    await conversation.parts.waves.overtake(unit, (id) => id === partOfCall(callOf(id), COMMIT));
    run.notes.push("revision: none, nothing is uncommitted");
    return null;
  }
  const unproven = refuseUnprovenRevision(await conversation.parts.checks.standing(call.abort));
  if (unproven !== null) return haltOf(unproven, "decision");
  const approval = await runApproval("request_approval", {
    runtime,
    conversation,
    call,
    plan,
    args: { kind: "revision", title: plan.title },
  });
  if (isRefusal(approval)) return haltOf(approval);
  const maker = runtime.agents.specialists.get(MAKER);
  if (maker === undefined) {
    return { status: "decision", why: `${MAKER}, who makes revisions, is disabled.`, next: "Tell the user." };
  }
  // Who wrote most of it last knows best what belongs to it.
  const writer = conversation.parts.runs.of(unit).findLast(({ agent }) => agent === maker.name);
  const before = await vcs.baseRevision();
  const result = await give(run, {
    specialist: maker,
    title: "Create the revision",
    prompt: `TASK: Create one revision of the work on "${excerpt(plan.title, 100)}", with a message in the manner of the project's history. Add exactly the files of this work by path, change nothing else, and name its id.`,
    resume: writer?.session ?? null,
    waveId: wave,
    callId: partOfCall(call.callId, COMMIT),
  });
  const end = endOf(maker, result);
  // That there is one counts, and not that someone says so.
  const after = await vcs.baseRevision();
  if (end.state === "done" && after !== null && after !== before) {
    run.notes.push(`revision: ${after}`);
    return null;
  }
  return {
    status: conversation.state.pause === null ? "decision" : "user",
    why: `The revision was not made: ${end.problem || "version control shows none"}`,
    next: "Settle that and run again.",
  };
}

/**
 * Has the historian write down what this run has done, and those before it that did not come so far. What cannot be recorded is
 * told, and holds nothing up.
 */
export async function recordWork(run: Run): Promise<void> {
  const { call, ends, notes, runtime } = run;
  const historian = runtime.agents.specialists.get(nameOf("historian"));
  const earlier = run.conversation.parts.runs.unrecorded(run.unit).filter(({ task }) => !ends.has(task));
  if (historian === undefined || ends.size + earlier.length === 0) return;
  const work = [
    ...earlier.map(
      ({ task, agent, note }) => `- task ${task}, ${agent}, in an earlier run: ${note || "done"}`,
    ),
    ...inOrder(ends).map(
      ([task, { agent, state, line, problem }]) => `- task ${task}, ${agent}, ${state}: ${line || problem}`,
    ),
  ];
  const checked = run.conversation.tree.verifier.last()?.summary ?? "";
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
    without: NOT_NEEDED,
    callId: partOfCall(call.callId, "record"),
  });
  await run.conversation.parts.workRecord.settled();
  const { state, problem } = endOf(historian, result);
  notes.push(state === "done" ? "recorded" : `not recorded: ${problem}`);
}
