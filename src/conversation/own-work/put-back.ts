import type { RestoredFiles as CheckPutBack, PutBackResult } from "../../checks/check-session.ts";
import { excerpt } from "../../lib/text.ts";
import { matchesParsed, parsePattern } from "../../lib/path-pattern.ts";
import { isRegenerable } from "../../policy/deletions.ts";
import type { Effect } from "../../policy/examination.ts";
import type { RestoredFile } from "../../snapshot/restore.ts";
import { isSame, NO_FILE, type TreeChange } from "../../snapshot/version.ts";
import type { Outbox } from "../display/outbox.ts";
import type { ConversationServices } from "../services.ts";
import type { EndedCall } from "./own-work.ts";
import type { Work, WorkWatch } from "./work-watch.ts";

/** Effects of calls that no person has read. */
const UNTOLD: ReadonlySet<Effect> = new Set(["project", "unknown"]);

const MAX_NAMES = 300;

/** What puts files back in one tree. */
export type PutBackPlace = Pick<ConversationServices, "workWatch" | "workStore" | "isSensitive">;

/**
 * Puts back what a call threw away of the user's work without having been asked for, and tells them.
 * @returns what stays of its work, and what its model has to know; empty mostly
 */
export async function spare(
  watch: WorkWatch,
  outbox: Pick<Outbox, "note">,
  { callId, examination, what, isApproved }: Omit<EndedCall, "told">,
  work: Work,
): Promise<Work & { readonly told: string }> {
  const isUntold = UNTOLD.has(examination.effect) && isApproved !== true;
  const theirs = isUntold ? work.thrown.filter(({ path }) => !isRegenerable(path)) : [];
  const gone: TreeChange[] = [];
  // The user may stash their work while a call runs, or it may do so itself.
  for (const change of theirs)
    if (!(await watch.trees.isStashed(change.path, change.before))) gone.push(change);
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
 * Puts back what a command changed that was only to check: files that version control does not ignore, but for those that its
 * globs name (SPEC 9). What somebody else may have changed stays.
 */
export async function putCheckBack(
  { workWatch: watch, workStore: store, isSensitive }: PutBackPlace,
  name: string,
  { own, shared }: Work,
  writes: readonly string[],
): Promise<PutBackResult> {
  const globs = writes.flatMap((glob) => parsePattern(glob, true) ?? []);
  const isAllowed = ({ path }: TreeChange): boolean => matchesParsed(path, globs);
  const wanted = own.filter((change) => !isAllowed(change));
  const held = wanted.filter(({ path, after }) => !isSame(after, NO_FILE) && !isSensitive(path));
  const aside = await store.keepAside(name, held, async ({ after }) => watch.trees.bytes(after));
  const results = await watch.putBack(`${name}-back`, wanted);
  return {
    restored: results.flatMap(({ change, left }) => (left === null ? [change.path] : [])),
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

const NO_WORK: Work = { isKnown: false, movesCommits: false, own: [], shared: [], thrown: [] };

export function createChecksPutBack(place: PutBackPlace): CheckPutBack {
  return {
    begin: async (id) => place.workWatch.begin(id, [], true),
    async end(id, writes, endedAt) {
      const work = (await place.workWatch.end(id, endedAt)) ?? NO_WORK;
      return putCheckBack(place, `${Date.now().toString(36)}-${id}`, work, writes);
    },
  };
}

/** Files of the user's that a command, or another one beside it, threw away and the host put back, for the user. */
function renderSaved(what: string, saved: readonly RestoredFile[]): string {
  const gone = saved.filter(({ left }) => left !== null);
  const lines = [
    `While ${excerpt(what, 120)} ran, uncommitted work of yours was thrown away.`,
    ...(gone.length < saved.length ? [`GAIA has put it back: ${backNames(saved)}.`] : []),
    ...gone.map(({ change, left }) => `Not put back: ${change.path} (${left ?? ""}).`),
  ];
  return lines.join("\n");
}

/** The same for the model whose command it was; empty where nothing was put back. */
function renderSavedForModel(saved: readonly RestoredFile[]): string {
  const names = backNames(saved);
  if (names === "") return "";
  return `While this ran, uncommitted work of the user's own was thrown away, and put back: ${names}. A command that is to change or delete such a file names it; the user is asked before it is deleted.`;
}

function backNames(saved: readonly RestoredFile[]): string {
  const names = saved.flatMap(({ change, left }) => (left === null ? [change.path] : []));
  return excerpt(names.join(", "), MAX_NAMES);
}
