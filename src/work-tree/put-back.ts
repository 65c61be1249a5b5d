import type { RestoredFiles as CheckPutBack, PutBackResult } from "../checks/check-session.ts";
import { excerpt } from "../lib/text.ts";
import { matchesParsed, parsePattern } from "../lib/path-pattern.ts";
import { isRegenerable } from "../policy/deletions.ts";
import type { Effect, Examination } from "../policy/examination.ts";
import type { RestoredFile } from "../snapshot/restore.ts";
import { isSame, NO_FILE, type TreeChange } from "../snapshot/version.ts";
import type { WorkStore } from "./work-store.ts";
import type { Work, WorkWatch } from "./work-watch.ts";

/** Effects of calls that no person has read. */
const UNTOLD: ReadonlySet<Effect> = new Set(["project", "unknown"]);

const MAX_NAMES = 300;

/** What reverting needs of one tree. */
export interface PutBackPlace {
  readonly workWatch: WorkWatch;
  readonly workStore: WorkStore;
  readonly isSensitive: (path: string) => boolean;
}

export interface WatchedCall {
  readonly callId: string;
  readonly examination: Examination;
  readonly what: string;
  /** A person approved exactly this command. */
  readonly isApproved?: boolean;
}

/**
 * Restores work of the user's that a call destroyed without their consent, and tells them.
 * @returns the rest of its work, and a line for its model; mostly empty
 */
export async function spare(
  watch: WorkWatch,
  outbox: { note(text: string): void },
  { callId, examination, what, isApproved }: WatchedCall,
  work: Work,
): Promise<Work & { readonly told: string }> {
  const isUntold = UNTOLD.has(examination.effect) && isApproved !== true;
  const theirs = isUntold ? work.thrown.filter(({ path }) => !isRegenerable(path)) : [];
  const gone: TreeChange[] = [];
  for (const change of theirs) {
    const { path, before } = change;
    // A call that ran beside it may have restored the file; the user, or the call, may have stashed it.
    const isBack = isSame(await watch.trees.versionNow(path), before);
    if (!isBack && !(await watch.trees.isStashed(path, before))) gone.push(change);
  }
  const results = await watch.putBack(`${callId}-back`, gone);
  if (results.length > 0) outbox.note(renderSaved(what, results));
  const back = new Set(results.filter(({ left }) => left === null).map(({ change }) => change));
  const stays = (change: TreeChange): boolean => !back.has(change);
  return {
    ...work,
    own: work.own.filter(stays),
    shared: work.shared.filter(stays),
    told: renderSavedForModel(results),
  };
}

/**
 * Reverts what a check changed of files that version control does not ignore, except those that its globs allow (SPEC 9). A change
 * that another call may have made stays.
 */
export async function putCheckBack(
  { workWatch: watch, workStore: store, isSensitive }: PutBackPlace,
  name: string,
  { own, shared }: Pick<Work, "own" | "shared">,
  writes: readonly string[],
): Promise<PutBackResult> {
  const globs = writes.flatMap((glob) => parsePattern(glob, true) ?? []);
  const isAllowed = ({ path }: TreeChange): boolean => matchesParsed(path, globs);
  const wanted = own.filter((change) => !isAllowed(change));
  const held = wanted.filter(({ path, after }) => !isSame(after, NO_FILE) && !isSensitive(path));
  const aside = await store.keepAside(name, held, async ({ after }) => watch.trees.bytes(after));
  const results = await watch.putBack(`${name}-back`, wanted);
  return {
    restored: restoredPaths(results),
    kept: own.filter(isAllowed).map(({ path }) => path),
    left: [
      ...shared
        .filter((change) => !isAllowed(change))
        .map(({ path }) => `${path} (another call ran beside it)`),
      ...results.flatMap(({ change, left }) => (left === null ? [] : [`${change.path} (${left})`])),
    ],
    aside,
  };
}

export function createChecksPutBack(place: PutBackPlace): CheckPutBack {
  return {
    begin: async (id) => place.workWatch.begin(id, [], true),
    async end(id, writes, endedAt) {
      const work = (await place.workWatch.end(id, endedAt)) ?? { own: [], shared: [] };
      return putCheckBack(place, `${Date.now().toString(36)}-${id}`, work, writes);
    },
  };
}

/** Tells the user which of their files were destroyed while a command ran, and were restored. */
function renderSaved(what: string, saved: readonly RestoredFile[]): string {
  const back = backNames(saved);
  return [
    `While ${excerpt(what, 120)} ran, uncommitted work of yours was thrown away.`,
    ...(back === "" ? [] : [`GAIA has put it back: ${back}.`]),
    ...saved.flatMap(({ change, left }) => (left === null ? [] : `Not put back: ${change.path} (${left}).`)),
  ].join("\n");
}

/** The same for the model whose command it was; empty where nothing was put back. */
function renderSavedForModel(saved: readonly RestoredFile[]): string {
  const names = backNames(saved);
  if (names === "") return "";
  return `While this ran, uncommitted work of the user's own was thrown away, and put back: ${names}. A command that is to change or delete such a file names it; the user is asked before it is deleted.`;
}

function backNames(saved: readonly RestoredFile[]): string {
  return excerpt(restoredPaths(saved).join(", "), MAX_NAMES);
}

function restoredPaths(results: readonly RestoredFile[]): string[] {
  return results.flatMap(({ change, left }) => (left === null ? change.path : []));
}
