import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { MAKER } from "../../agents/registry.ts";
import { callOf, partOfCall } from "../../delegation/call-part.ts";
import type { Specialist } from "../../delegation/specialist.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { refuseUnprovenRevision } from "../../conversation/planning/decide-approval.ts";
import type { StandingPlan } from "../../workspace/operations/approvals.ts";
import { isNamed, normalisePath } from "../../workspace/documents/plan-scope.ts";
import { lookAtBegun } from "../../vcs/refs/look.ts";
import { runApproval } from "../plan-approvals.ts";
import { runCommandFor } from "./command-for.ts";
import { commandOfCommit, hasStagedOwn, workAmong, type CommitFacts } from "./commit-here.ts";
import { endOf, give } from "./give.ts";
import { putBack } from "../../conversation/commits/begun-commits.ts";
import { haltOf, type Halt } from "./halt.ts";
import { proveAgain } from "./prove.ts";
import { planNow, type Run } from "./run.ts";

/** Names what makes the revision, within the call of the run. */
const COMMIT = "commit";
/** Hooks may take their time, and nobody sees them at work. */
const SLOW_MS = 20_000;
const SLOW =
  "The commit waits for git: hooks of the repository may be at it. Esc ends it and leaves the index as it was.";
const MAX_SAID = 1_500;
const MAX_WHY = 300;
const MAX_NAMES = 200;
/** So often hooks may change what they are given, as those that format it do, and have it committed once more. */
const MAX_FORMATTED = 2;
/** What git says where someone else is at the index, or was as they were stopped: nothing that the work could settle. */
const HELD = /index\.lock|another git process/iu;

/** Has the change committed, through the gate of every revision: the user is asked where they decide. @returns why it was not */
export async function commitWork(run: Run, wave: string): Promise<Halt | null> {
  const { conversation, unit } = run;
  const plan = await planNow(run);
  const { vcs, place } = conversation.tree;
  if (vcs.kind === "none") {
    run.notes.push("revision: none, the project is under no version control");
    return null;
  }
  const facts = await uncommittedNow(run);
  // In Jujutsu there is always something to describe; in a unit's own tree all is its work.
  const left = facts === null || run.home === undefined ? facts && workAmong(facts) : facts.uncommitted;
  if (vcs.kind !== "jj" && facts !== null && left?.length === 0) {
    // It was committed by an earlier run, and who made it may have been cut off once it was made.
    await conversation.parts.waves.overtake(unit, (id) => id === partOfCall(callOf(id), COMMIT));
    const theirs = excerpt(
      [...facts.users.keys()].map((path) => relative(place.project, path)).join(", "),
      MAX_NAMES,
    );
    run.notes.push(
      `revision: none, nothing ${theirs === "" ? "" : `but the user's own (${theirs}) `}is uncommitted`,
    );
    return null;
  }
  const begun = facts !== null && hasStagedOwn(facts) ? lookAtBegun(place.worktree) : null;
  if (begun !== null) {
    return {
      status: "user",
      why: `A ${begun} of the user's is under way, and the next commit ends it: the work stands uncommitted beside it.`,
      next: `Tell the user: once they have ended it (git ${begun} --continue or --abort) plan_gaia run commits the work.`,
    };
  }
  for (let left = MAX_FORMATTED; ; left -= 1) {
    const failed = await proveAndMake(run, plan, wave, left > 0);
    if (failed !== "formatted") return failed;
  }
}

/** @param mayFormat whether hooks may change files @returns why there is none; `formatted` where hooks did, and refused it as it was */
async function proveAndMake(
  run: Run,
  plan: StandingPlan,
  wave: string,
  mayFormat: boolean,
): Promise<Halt | "formatted" | null> {
  const { runtime, conversation, call } = run;
  const { vcs } = conversation.tree;
  const unproven =
    (await proveAgain(run)) ?? refuseUnprovenRevision(await conversation.parts.checks.standing(call.abort));
  if (unproven !== null) return isRefusal(unproven) ? haltOf(unproven, "decision") : unproven;
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
  // A dialog may have stood open for hours.
  const unstaged = (await vcs.uncommitted(call.abort))?.filter(({ isInIndex }) => !isInIndex) ?? [];
  const failed = await makeRevision(run, plan, maker, wave, mayFormat);
  if (failed !== null)
    await putBack(
      vcs,
      unstaged.map(({ path }) => path),
    );
  return failed;
}

/** @returns as {@link proveAndMake} */
async function makeRevision(
  run: Run,
  plan: StandingPlan,
  maker: Specialist,
  wave: string,
  mayFormat: boolean,
): Promise<Halt | "formatted" | null> {
  const { conversation, call, unit } = run;
  const { vcs } = conversation.tree;
  // Who wrote most of it last knows best what belongs to it.
  const writer = conversation.parts.runs.of(unit).findLast(({ agent }) => agent === maker.name);
  const before = await vcs.baseRevision();
  const isMade = async (): Promise<boolean> => {
    const after = await vcs.baseRevision();
    if (after === null || after === before) return false;
    run.notes.push(`revision: ${after}`);
    return true;
  };
  const given = await vcs.fingerprint(call.abort);
  const tried = writer === undefined ? null : await commitHere(run, writer.session);
  // That there is one counts, and not that someone says so.
  if (tried === "" && (await isMade())) return null;
  if (tried !== null && HELD.test(tried)) {
    return {
      status: "user",
      why: `The revision was not made, for git is at work here or was stopped in it: ${excerpt(tried, MAX_WHY)}`,
      next: "Tell the user: once that is over, or they have removed what it left, plan_gaia run goes on.",
    };
  }
  const isFormatted = Boolean(tried) && given !== null && (await vcs.fingerprint(call.abort)) !== given;
  if (isFormatted && mayFormat && !call.abort.aborted) {
    run.notes.push("hooks of the repository changed files and refused the commit: checked and tried again");
    return "formatted";
  }
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
  const failed = tried ? `. The host's own try: ${excerpt(tried, MAX_WHY)}` : "";
  return {
    status: conversation.state.pause === null ? "decision" : "user",
    why: `The revision was not made: ${end.problem || "version control shows none"}${failed}`,
    next: "Settle that and run again.",
  };
}

/** Whether something of the work is in no commit yet, as far as can be told. */
export async function hasUncommitted(run: Run): Promise<boolean> {
  if (run.conversation.tree.vcs.kind !== "git") return false;
  const facts = await uncommittedNow(run);
  return facts !== null && workAmong(facts).length > 0;
}

/**
 * What is not committed, and what of it is the user's; null where version control does not say. What the plan names is not
 * taken for theirs alone: it may have been made by something that no call is known for.
 */
async function uncommittedNow(run: Run): Promise<Pick<CommitFacts, "uncommitted" | "users"> | null> {
  const { conversation, call } = run;
  const { vcs, place } = conversation.tree;
  const uncommitted = await vcs.uncommitted(call.abort);
  if (uncommitted === null) return null;
  const paths = (await planNow(run)).tasks.flatMap(({ files = [] }) => files.map(normalisePath));
  const root = await realpath(place.project).catch(() => place.project);
  const names = new Map(uncommitted.map(({ path }) => [relative(root, path).split(sep).join("/"), path]));
  const theirs = await conversation.parts.ownWork.usersOwnAmong([...names.keys()]);
  const users = theirs.map(({ path, isMixed }) => {
    const isPlanned = isNamed({ paths, guards: true }, path);
    return [names.get(path) ?? path, { isMixed: isMixed || isPlanned }] as const;
  });
  return { uncommitted, users: new Map(users) };
}

/**
 * Makes the commit without a model, in the name of who wrote the work and by all that holds for their commands, where its
 * message is known and its files can be told. Who pairs sees a step of someone.
 * @returns what it said where it failed, empty where it did not; null where it was not tried
 */
async function commitHere(run: Run, session: string): Promise<string | null> {
  const { runtime, conversation, call } = run;
  const { message = "" } = run.commit ?? {};
  const { vcs, place } = conversation.tree;
  const isUsual = vcs.kind === "git" && conversation.state.knobs.interaction !== "pair";
  if (!isUsual || runtime.memory.redact(message) !== message) return null;
  // A dialog may have stood open for hours.
  const facts = await uncommittedNow(run);
  const folder = await realpath(place.directory).catch(() => place.directory);
  const command = facts === null ? null : commandOfCommit({ ...facts, message, folder });
  if (command === null) return null;
  // Who wrote in a worktree that has landed belongs to none.
  run.home?.enter(session);
  const callId = partOfCall(call.callId, `${COMMIT}.host`);
  const { host, clock } = runtime;
  const stopTelling = clock.after(SLOW_MS, () => void host.toast("info", SLOW));
  const end = await runCommandFor(run, { session, callId, command, effect: "history" }).finally(stopTelling);
  if (end.kind === "refused") {
    runtime.host.logger.log("info", "commit", `It was left to ${MAKER}: ${end.why}`);
    return null;
  }
  if (end.exitCode === 0) return "";
  return [`$ ${excerpt(command, 300)}`, `exit ${end.exitCode ?? "none"}`, end.said.slice(-MAX_SAID)].join(
    "\n",
  );
}
