import { type ReviewedWork, findRiskHotspots } from "../../plan/review/brief.ts";
import { type FileVersion, isSame, NO_FILE, originsOf, type TreeChange } from "../../snapshot/version.ts";
import type { Changes, Vcs, Trees } from "../../snapshot/vcs.ts";
import { diffTexts, type Versions } from "../../snapshot/unified-diff.ts";
import type { FileDelta } from "../collaboration/batch.ts";
import { lineDelta } from "../tool-calls/tool-fact.ts";
import { RECORD } from "./batch-record.ts";
import type { Standing, WorkWatch } from "./work-watch.ts";

/** Changes whose lines are counted; of the others only the files are told. */
const MAX_COUNTED = 200;
const MAX_LINES = 5_000;

/** Changes of files in lines. A file that only moved is one change, and one of whose bytes nothing is known has no lines. */
export async function countLines(
  trees: Pick<Trees, "bytes">,
  changes: readonly TreeChange[],
): Promise<FileDelta[]> {
  const textOf = async (version: FileVersion): Promise<string | null> => {
    const bytes = isSame(version, NO_FILE) ? Buffer.alloc(0) : await trees.bytes(version);
    return bytes === null || bytes.includes(0) ? null : bytes.toString("utf8");
  };
  return Promise.all(
    withMoves(changes).map(async ({ path, before, after, note }, at) => {
      const isCounted = at < MAX_COUNTED && before.id !== after.id;
      const [old, fresh] = isCounted
        ? await Promise.all([textOf(before), textOf(after)])
        : ([null, null] as const);
      const lines = old === null || fresh === null ? { added: 0, removed: 0 } : lineDelta(old, fresh);
      const risk = riskOf(path, old ?? "", fresh ?? "");
      return { path, ...lines, ...(note === undefined ? {} : { note }), ...(risk === "" ? {} : { risk }) };
    }),
  );
}

/** What kinds of risk the path and the lines that differ speak of; the order of lines says nothing about that. */
function riskOf(path: string, old: string, fresh: string): string {
  const [before, after] = [new Set(old.split("\n")), new Set(fresh.split("\n"))];
  const linesOf = (kind: "removed" | "added", texts: ReadonlySet<string>, others: ReadonlySet<string>) =>
    [...texts].filter((text) => !others.has(text)).map((text) => ({ kind, text, line: 0 }));
  const lines = [...linesOf("removed", before, after), ...linesOf("added", after, before)].slice(
    0,
    MAX_LINES,
  );
  const file = { path, status: "modified" as const, added: 0, removed: 0, hunks: [{ header: "", lines }] };
  return findRiskHotspots([file])
    .flatMap(({ kinds }) => kinds)
    .join(", ");
}

/** Of a file that only moved one change instead of two, with what lines do not tell of any. */
export function withMoves(changes: readonly TreeChange[]): (TreeChange & { readonly note?: string })[] {
  const origin = originsOf(changes);
  const moved = new Set(origin.values());
  return changes
    .filter((change) => !moved.has(change))
    .map((change) => {
      const from = origin.get(change);
      if (from !== undefined) return { ...change, before: change.after, note: `moved from ${from.path}` };
      if (isSame(change.after, NO_FILE)) return { ...change, note: "deleted" };
      const isMode = change.before.id === change.after.id;
      return isMode ? { ...change, note: `mode ${change.after.mode.slice(-3)}` } : change;
    });
}

/** The changes; where version control does not tell them, what GAIA's calls were seen to change in this process. Never throws. */
export async function orSeen(changes: Changes, watch: Pick<WorkWatch, "look" | "trees">): Promise<Changes> {
  const standing = changes.known ? null : await watch.look();
  if (standing === null) return changes;
  const seen = [...standing.ledger].map(([path, { before, after }]) => ({ path, before, after }));
  return { ...changes, files: await countLines(watch.trees, seen) };
}

/**
 * The changes without what was there before a moment, and with the lines since then. A submodule is a change as long as a file
 * in it is.
 * @param from of the same project; the changes as they are where it is gone
 */
export async function sinceTree(changes: Changes, from: string, trees: Trees): Promise<Changes> {
  const now = await trees.take();
  const differs = now === null ? null : await trees.diff(from, now);
  if (differs === null) return changes;
  const since = await countLines(trees, differs);
  if (!changes.known) return { ...changes, files: since, known: true };
  const files = changes.files.flatMap((file) => {
    const own = since.find(({ path }) => path === file.path);
    if (own !== undefined) return { ...file, added: own.added, removed: own.removed };
    return since.some(({ path }) => path.startsWith(`${file.path}/`)) ? file : [];
  });
  return { ...changes, files };
}

/** Files that a tool tells of and the tree cannot show: ignored ones, and those outside of the repository. */
export async function unseenFiles(
  told: readonly FileDelta[],
  changes: readonly TreeChange[],
  vcs: Pick<Vcs, "isIgnored">,
): Promise<FileDelta[]> {
  const shown = new Set(changes.map(({ path }) => path));
  const others = told.filter(({ path }) => !shown.has(path));
  const hidden: FileDelta[] = [];
  for (const file of others) {
    const isOutside = file.path.startsWith("/") || file.path.startsWith("..");
    if (isOutside || RECORD.test(file.path) || (await vcs.isIgnored(file.path))) hidden.push(file);
  }
  return hidden;
}

/** Files of both whose lines are told apart; of the others all uncommitted lines are shown. */
const MAX_MIXED = 40;

/**
 * What of the uncommitted changes is GAIA's work, for its reviewers; null where none of it is, so that all of it is what is
 * looked at. In a file of both, what the user had changed before is left out.
 */
export async function readWork(
  { work, users, ledger, tree }: Standing,
  trees: WorkWatch["trees"],
): Promise<ReviewedWork | null> {
  if (work.length === 0) return null;
  const leftOut = users.filter(({ isMixed }) => !isMixed).map(({ path }) => path);
  const mixed: Versions[] = [];
  for (const path of work) {
    const entry = ledger.get(path);
    if (entry === undefined || entry.wasClean || mixed.length >= MAX_MIXED) continue;
    const now = tree.dirty.get(path)?.now ?? NO_FILE;
    const isNew = isSame(entry.before, NO_FILE);
    const before = isNew ? Buffer.alloc(0) : await trees.bytes(entry.before);
    const after = isSame(now, NO_FILE) ? Buffer.alloc(0) : await trees.bytes(now);
    if (before !== null && after !== null) mixed.push({ path, before, after });
  }
  const shared = [...ledger].filter(([, { isShared }]) => isShared).map(([path]) => path);
  const also = shared.filter((path) => work.includes(path));
  return {
    paths: work.filter((path) => !mixed.some((file) => file.path === path)),
    diffs: (await diffTexts(mixed)).join(""),
    leftOut,
    also,
  };
}
