import { realpath } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { renderMove, type Moved, type Watching } from "../../vcs/refs/ref-watch.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isRefusal, type Decision } from "../../lib/refusal.ts";
import type { HistoryPart } from "../../policy/history/history.ts";
import type { Checks } from "../checks/checks.ts";
import { type ExaminedCall, refusalText } from "../collaboration/decide-call.ts";
import type { ConversationCore } from "../core.ts";
import type { OwnWork } from "../own-work/own-work.ts";
import type { Part } from "../part.ts";
import type { Reviews } from "../reviews/reviews.ts";
import type { ConversationServices } from "../services.ts";
import { beginCommit, isAtWork, moveSince, putBack, readBegun, type BegunCommit } from "./begun-commits.ts";
import { decideCommit, leftOut, nameRecordings } from "./decide-commit.ts";
import { withFilesMeant } from "./files-meant.ts";
import { MAX_MOVES, stopForHidden } from "./hidden-history.ts";

/** A call of this conversation, as far as the history is concerned. */
export type HistoryCall = Pick<ExaminedCall, "tool" | "agent" | "examination">;

/** What stands between the work and the history (SPEC 9, 11): proof, reviewers, hooks, the user, and a look behind each call. */
export interface Commits extends Part {
  /**
   * Why a call must not record what it would; null when it may, and for calls that record nothing.
   * @param callId of a call that has begun already
   */
  refuseCall(call: HistoryCall, callId?: string): Promise<string | null>;
  /** Whether the user has approved the revision that the files are now. */
  isApproved(): Promise<boolean>;
  /** The user approved the revision. */
  approve(unit: string): Promise<void>;
  /** What the user should know who is asked for a call; null where that records nothing. */
  describe(call: HistoryCall): Promise<string | null>;
  /** A call is about to start. Told again for one that had to wait, it begins anew. */
  begins(callId: string, call: HistoryCall): Promise<void>;
  /** The process group that is at it, where the plugin runs it. */
  runs(callId: string, group: number): void;
  /** It is over; @param ran false for one that did not come to run */
  ends(callId: string, ran: boolean): Promise<void>;
}

interface Running {
  readonly call: HistoryCall;
  readonly watching: Watching;
  /** What it records, as it was before; null for nothing. */
  readonly begun: BegunCommit | null;
}

export function createCommits(
  conversation: Pick<ConversationCore, "state" | "dispatch" | "log" | "keep" | "mirrored">,
  services: Pick<ConversationServices, "host" | "vcs" | "verifier" | "refs" | "place">,
  checks: Pick<Checks, "standing">,
  reviews: Pick<Reviews, "openObjection">,
  ownWork: Pick<OwnWork, "usersOwnAmong">,
): Commits {
  const { vcs, refs, verifier } = services;
  const running = new Map<string, Running>();
  /** Of those calls, and of those whose end is being told. */
  const open = new Map<string, BegunCommit>();
  let ending: readonly Promise<Moved>[] = [];
  /** Begun by an earlier process, which did not see what came of it. */
  let left: readonly BegunCommit[] = [];
  /** A reviewer's word that stands against it. */
  const objection = (): string | null => {
    const open = reviews.openObjection();
    return open === null
      ? null
      : [`${open.reviewer}: ${open.verdict}`, open.reason].filter(Boolean).join(", ");
  };
  /** Which of these files, by their absolute paths, hold work of the user's alone, and need not be in what is recorded. */
  const usersAmong = async (paths: readonly string[]): Promise<ReadonlySet<string>> => {
    const { project } = services.place;
    const root = await realpath(project).catch(() => project);
    const named = new Map(paths.map((path) => [relative(root, path).split(sep).join("/"), path]));
    const theirs = await ownWork.usersOwnAmong([...named.keys()]);
    return new Set(theirs.filter(({ isMixed }) => !isMixed).map(({ path }) => named.get(path) ?? path));
  };
  let revision: { readonly unit: string; readonly tree: string } | null = null;

  const mayChange = ({ effect, isCheck }: HistoryCall["examination"]): boolean =>
    effect !== "read" && !isCheck;

  const decide = async (history: HistoryPart, except: string | null): Promise<Decision> => {
    const isRecording = history.recordings.length > 0;
    const standing = isRecording ? await checks.standing(never()) : "unconfigured";
    const others = [...running].filter(([id, { call }]) => id !== except && mayChange(call.examination));
    const uncommitted = standing === "passed" ? await vcs.uncommitted() : [];
    const theirs = await usersAmong((uncommitted ?? []).map(({ path }) => path));
    return decideCommit({
      history: uncommitted?.length === 0 ? history : await withFilesMeant(history, vcs),
      standing,
      objection: objection(),
      uncommitted,
      isUsers: (path) => theirs.has(path),
      othersRunning: others.length,
    });
  };

  /** The record tells of it, once. */
  const log = async ({ what, by, unit, tree }: BegunCommit, moves: string): Promise<void> => {
    const proof = (await checks.standing(never())) !== "unconfigured";
    const isSame = proof && tree !== "" && tree === (await vcs.fingerprint());
    const proven = isSame
      ? `Proven: ${verifier.last()?.summary ?? "the checks had passed"}`
      : "Not proven as it is now: what it made differs from what the checks passed on.";
    const line = proof ? proven : "Not proven: no Definition of Done is configured.";
    await conversation.log("Commit", `- ${what} by ${by}: ${moves}\n- ${line}`, unit, `: ${moves}`);
  };
  /** What an earlier process had begun and git has made. */
  const logLeft = async (isOver: boolean): Promise<void> => {
    if (left.length === 0) return;
    const seen = left.map((each) => ({ each, moves: moveSince(each, services.place.worktree) }));
    const none = seen.filter(({ moves }) => moves === "nothing").map(({ each }) => each);
    // Git itself may still be at it.
    left = none.filter((each) => !isOver && isAtWork(each));
    for (const each of none) {
      const paths = each.unstaged.map((path) => join(each.worktree, path));
      if (!left.includes(each)) await putBack(vcs, paths);
    }
    for (const { each, moves } of seen) if (moves !== null && moves !== "nothing") await log(each, moves);
    conversation.keep();
  };

  /** What was recorded is told; what is recorded otherwise than it was proven stops the work. */
  const recorded = async ({ call, begun }: Running, { all }: Moved): Promise<void> => {
    const { history } = call.examination;
    if (history === null || begun === null || all.length === 0) return;
    const what = nameRecordings(history.recordings);
    await log(begun, all.slice(0, MAX_MOVES).map(renderMove).join(", "));
    if ((await checks.standing(never())) === "unconfigured") return;
    const commits = history.recordings.some(({ kind }) => kind === "commit");
    const left = commits ? leftOut((await vcs.uncommitted()) ?? [], { ...history, taken: null }) : [];
    const theirs = await usersAmong(left);
    const ours = left.filter((path) => !theirs.has(path));
    if (ours.length === 0) return;
    conversation.dispatch({
      type: "blocked",
      reason: `${what} recorded something other than what was proven: it left out ${ours.slice(0, MAX_MOVES).join(", ")}.`,
      nextStep: "look at the commit (git show); keep it, or have it taken back and made anew",
    });
  };

  const beginOf = async ({ agent, examination: { history } }: HistoryCall): Promise<BegunCommit | null> => {
    if (history === null || history.recordings.length === 0) return null;
    const what = nameRecordings(history.recordings);
    const unit = conversation.state.workUnit;
    const { worktree } = services.place;
    const [tree, uncommitted] = [await vcs.fingerprint(), await vcs.uncommitted()];
    return beginCommit({ unit, what, by: agent, worktree, tree, uncommitted });
  };
  const tell = async (ended: Running): Promise<void> => {
    const moved = await refs.end(ended.watching);
    const { tool, examination } = ended.call;
    const what = `${tool} (${excerpt(examination.part?.text ?? examination.reason, 80)})`;
    stopForHidden(conversation, what, moved);
    if (ended.watching.said === "records") await recorded(ended, moved);
  };

  const isApproved = async (): Promise<boolean> => {
    const { state } = conversation;
    if (revision === null || revision.unit !== (state.workUnit ?? "")) return false;
    return state.knobs.mode === "supervised" && (await vcs.fingerprint()) === revision.tree;
  };

  return {
    isApproved,
    async refuseCall({ examination: { history }, tool }, callId) {
      if (history === null) return null;
      const decision = await decide(history, callId ?? null);
      if (!isRefusal(decision)) return null;
      return refusalText({ kind: "refuse", about: "", reason: decision.reason, hint: decision.hint }, tool);
    },
    async approve(unit) {
      const tree = await vcs.fingerprint();
      revision = tree === null ? null : { unit, tree };
    },
    async describe({ agent, examination: { history } }) {
      if (history === null || history.recordings.length === 0) return null;
      const standing = await checks.standing(never());
      const proof =
        standing === "unconfigured"
          ? "No Definition of Done is configured, so nothing was checked."
          : `${verifier.last()?.summary ?? "The checks have passed"}, on the files as they are now.`;
      return `${agent} asks to change the history: ${nameRecordings(history.recordings)}. ${excerpt(proof, 200)}`;
    },
    async begins(callId, call) {
      const { effect, history } = call.examination;
      const before = running.get(callId);
      if (before !== undefined) refs.drop(before.watching);
      if (effect === "read") return;
      await logLeft(true);
      const begun = history === null ? null : await beginOf(call);
      running.set(callId, { call, begun, watching: refs.begin(saidOf(history)) });
      if (begun === null) return;
      // Git may be done with it when OpenCode is killed.
      open.set(callId, begun);
      conversation.keep();
      await conversation.mirrored();
    },
    runs(callId, group) {
      const begun = open.get(callId);
      if (begun !== undefined) open.set(callId, { ...begun, group });
      conversation.keep();
    },
    async ends(callId, ran) {
      const call = running.get(callId);
      running.delete(callId);
      if (call === undefined) return;
      if (ran) await tell(call);
      else refs.drop(call.watching);
      if (open.delete(callId)) conversation.keep();
    },
    snapshot() {
      const begun = [...left, ...open.values()];
      return begun.length === 0 ? undefined : begun;
    },
    restore(saved) {
      left = readBegun(saved);
      // Once every part has what it kept.
      Promise.resolve()
        .then(async () => logLeft(false))
        .catch((error: unknown) => services.host.logger.log("warn", "commits", describeError(error)));
    },
    heard(event) {
      const ends =
        event.type === "work-unit-changed" ||
        event.type === "taken-back" ||
        event.type === "command" ||
        (event.type === "permission-replied" && event.reply === "reject" && event.by === "human");
      if (ends) revision = null;
    },
    dispose() {
      // They have run, and what they left is looked at, though there is nobody to tell.
      ending = [...running.values()].map(async ({ watching }) => refs.end(watching));
      running.clear();
    },
    flush: async () => void (await Promise.all(ending)),
  };
}

function saidOf(history: HistoryPart | null): Watching["said"] {
  if (history === null) return "nothing";
  if (history.recordings.length > 0) return "records";
  if (history.fetches) return "fetches";
  return history.moves ? "moves" : "nothing";
}

/** Git's own bounds end what is asked of it here. */
function never(): AbortSignal {
  return new AbortController().signal;
}
