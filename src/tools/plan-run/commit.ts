import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { MAKER } from "../../agents/registry.ts";
import { callOf, partOfCall } from "../../delegation/call-part.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { refuseUnprovenRevision } from "../../conversation/planning/decide-approval.ts";
import type { UncommittedFile } from "../../vcs/port.ts";
import { runApproval } from "../plan-approvals.ts";
import { runCommandFor } from "./command-for.ts";
import { commandOfCommit } from "./commit-here.ts";
import { endOf, give } from "./give.ts";
import { haltOf, type Halt } from "./halt.ts";
import { planNow, type Run } from "./run.ts";

/** Names what makes the revision, within the call of the run. */
const COMMIT = "commit";
const MAX_SAID = 1_500;

/** Has the change committed, through the gate of every revision: the user is asked where they decide. @returns why it was not */
export async function commitWork(run: Run, wave: string): Promise<Halt | null> {
  const { runtime, conversation, call, unit } = run;
  const plan = await planNow(run);
  const { vcs } = conversation.tree;
  if (vcs.kind === "none") {
    run.notes.push("revision: none, the project is under no version control");
    return null;
  }
  const uncommitted = await vcs.uncommitted(call.abort);
  // It was committed by an earlier run. In Jujutsu there is always something to describe.
  if (vcs.kind !== "jj" && uncommitted?.length === 0) {
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
  const isMade = async (): Promise<boolean> => {
    const after = await vcs.baseRevision();
    if (after === null || after === before) return false;
    run.notes.push(`revision: ${after}`);
    return true;
  };
  const tried = writer === undefined ? null : await commitHere(run, writer.session, uncommitted ?? []);
  // That there is one counts, and not that someone says so.
  if (tried === "" && (await isMade())) return null;
  const message = run.commit?.message.trim() ?? "";
  const result = await give(run, {
    specialist: maker,
    title: "Create the revision",
    prompt: [
      `TASK: Create one revision of the work on "${excerpt(plan.title, 100)}", ${message === "" ? "with a message in the manner of the project's history" : "with the message below"}. Add exactly the files of this work by path, change nothing else, and name its id.`,
      message === "" ? "" : `MESSAGE\n${message}`,
      tried ? `IT WAS TRIED\n${tried}` : "",
    ]
      .filter(Boolean)
      .join("\n\n"),
    resume: writer?.session ?? null,
    waveId: wave,
    callId: partOfCall(call.callId, COMMIT),
  });
  const end = endOf(maker, result);
  if (end.state === "done" && (await isMade())) return null;
  return {
    status: conversation.state.pause === null ? "decision" : "user",
    why: `The revision was not made: ${end.problem || "version control shows none"}`,
    next: "Settle that and run again.",
  };
}

/**
 * Makes the commit without a model, in the name of who wrote the work and by all that holds for their commands, where its
 * message is known and its files can be told. Who pairs sees a step of someone.
 * @returns what it said where it failed, empty where it did not; null where it was not tried
 */
async function commitHere(
  run: Run,
  session: string,
  uncommitted: readonly UncommittedFile[],
): Promise<string | null> {
  const { runtime, conversation, call } = run;
  const { message = "" } = run.commit ?? {};
  const { vcs, place } = conversation.tree;
  const isUsual = vcs.kind === "git" && conversation.state.knobs.interaction !== "pair";
  if (!isUsual || runtime.memory.redact(message) !== message) return null;
  const root = await realpath(place.project).catch(() => place.project);
  const names = new Map(uncommitted.map(({ path }) => [relative(root, path).replaceAll("\\", "/"), path]));
  const theirs = await conversation.parts.ownWork.usersOwnAmong([...names.keys()]);
  const command = commandOfCommit({
    message,
    uncommitted,
    users: new Map(theirs.map(({ path, isMixed }) => [names.get(path) ?? path, { isMixed }])),
    folder: await realpath(place.directory).catch(() => place.directory),
  });
  if (command === null) return null;
  const callId = partOfCall(call.callId, `${COMMIT}.host`);
  const end = await runCommandFor(run, { session, callId, command, effect: "history" });
  if (end.kind === "refused") {
    runtime.host.logger.log("info", "commit", `It was left to ${MAKER}: ${end.why}`);
    return null;
  }
  if (end.exitCode === 0) return "";
  return [`$ ${excerpt(command, 300)}`, `exit ${end.exitCode ?? "none"}`, end.said.slice(-MAX_SAID)].join(
    "\n",
  );
}
