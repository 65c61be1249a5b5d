import { realpath } from "node:fs/promises";
import { relative, sep } from "node:path";
import { renderMove, type Moved, type Watching } from "../../vcs/refs/ref-watch.ts";
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
  /** It is over; @param ran false for one that did not come to run */
  ends(callId: string, ran: boolean): Promise<void>;
}

interface Running {
  readonly call: HistoryCall;
  readonly watching: Watching;
  /** The content of the files before something is recorded of them; null where it cannot be told, or nothing is. */
  readonly tree: string | null;
}

export function createCommits(
  conversation: Pick<ConversationCore, "state" | "dispatch" | "log">,
  services: Pick<ConversationServices, "vcs" | "verifier" | "refs" | "place">,
  checks: Pick<Checks, "standing">,
  reviews: Pick<Reviews, "openObjection">,
  ownWork: Pick<OwnWork, "usersOwnAmong">,
): Commits {
  const { vcs, refs, verifier } = services;
  const running = new Map<string, Running>();
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

  /** What was recorded is told; what is recorded otherwise than it was proven stops the work. */
  const recorded = async ({ call, tree }: Running, { all }: Moved): Promise<void> => {
    const { history } = call.examination;
    if (history === null || all.length === 0) return;
    const what = nameRecordings(history.recordings);
    const moves = all.slice(0, MAX_MOVES).map(renderMove).join(", ");
    const standing = await checks.standing(never());
    if (standing === "unconfigured") {
      await conversation.log(
        "Commit",
        `- ${what} by ${call.agent}: ${moves}\n- Not proven: no Definition of Done is configured.`,
      );
      return;
    }
    const isSame = tree !== null && tree === (await vcs.fingerprint());
    const proof = isSame
      ? `Proven: ${verifier.last()?.summary ?? "the checks had passed"}`
      : "Not proven as it is now: what it made differs from what the checks passed on.";
    await conversation.log("Commit", `- ${what} by ${call.agent}: ${moves}\n- ${proof}`);
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
      const isRecording = history !== null && history.recordings.length > 0;
      const tree = isRecording ? await vcs.fingerprint() : null;
      running.set(callId, { call, tree, watching: refs.begin(saidOf(history)) });
    },
    async ends(callId, ran) {
      const call = running.get(callId);
      running.delete(callId);
      if (call === undefined) return;
      if (!ran) return refs.drop(call.watching);
      const moved = await refs.end(call.watching);
      const { tool, examination } = call.call;
      const what = `${tool} (${excerpt(examination.part?.text ?? examination.reason, 80)})`;
      stopForHidden(conversation, what, moved);
      if (call.watching.said === "records") await recorded(call, moved);
    },
    heard(event) {
      const ends =
        event.type === "work-unit-changed" ||
        event.type === "command" ||
        (event.type === "permission-replied" && event.reply === "reject" && event.by === "human");
      if (ends) revision = null;
    },
    dispose() {
      for (const { watching } of running.values()) refs.drop(watching);
      running.clear();
    },
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
