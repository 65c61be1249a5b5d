import { head, terminalText } from "../lib/text.ts";
import { type DiffFile, diffTexts } from "../lib/line-diff.ts";
import { type ReviewedWork, risksOf } from "../plan/review/brief.ts";
import { isSame, NO_FILE, originsOf, type TreeChange } from "../snapshot/version.ts";
import { diffOf, MAX_COUNTED, type Trees, type Vcs } from "../snapshot/vcs.ts";
import type { Redactor } from "../lib/redaction.ts";
import type { Standing, WorkWatch } from "./work-watch.ts";

/** GAIA's own record is no part of the project's tree. */
export function isInRecord(path: string): boolean {
  return path.startsWith(".gaia/") || path.startsWith("./.gaia/");
}

/** Changes of files in lines. A file that only moved is one change, and one of whose bytes nothing is known has no lines. */
export async function countLines(trees: Pick<Trees, "bytes">, changes: readonly TreeChange[]) {
  return Promise.all(
    withMoves(changes).map(async (change, at) => {
      const { path, note } = change;
      const isCounted = at < MAX_COUNTED && change.before.id !== change.after.id;
      const file = (isCounted ? await diffOf(trees, change) : null) ?? diffTexts(path, "", "");
      const { added, removed } = file;
      // How many lines there are is told beside it.
      const risk = risksOf({ ...file, added: 0, removed: 0 }).join(", ");
      return { path, added, removed, ...(note === undefined ? {} : { note }), ...(risk && { risk }) };
    }),
  );
}

/** Of a file that only moved one change instead of two, with what lines do not tell of any. */
function withMoves(changes: readonly TreeChange[]): (TreeChange & { readonly note?: string })[] {
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

/** Files that a tool tells of and the tree cannot show: ignored ones, and those outside of the repository. */
export async function unseenFiles<File extends { readonly path: string }>(
  told: readonly File[],
  changes: readonly TreeChange[],
  vcs: Pick<Vcs, "isIgnored">,
): Promise<File[]> {
  const shown = new Set(changes.map(({ path }) => path));
  const isHidden = async ({ path }: File): Promise<boolean> =>
    path.startsWith("/") || path.startsWith("..") || isInRecord(path) || vcs.isIgnored(path);
  const others = told.filter(({ path }) => !shown.has(path));
  const hidden = await Promise.all(others.map(isHidden));
  return others.filter((_, at) => hidden[at]);
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
  const mixed = new Map<string, DiffFile>();
  for (const path of work) {
    const entry = ledger.get(path);
    if (entry === undefined || entry.wasClean || mixed.size >= MAX_MIXED) continue;
    const after = tree.dirty.get(path)?.now ?? NO_FILE;
    const file = await diffOf(trees, { path, before: entry.before, after });
    if (file !== null) mixed.set(path, file);
  }
  return {
    paths: work.filter((path) => !mixed.has(path)),
    diffs: [...mixed.values()].filter(({ hunks }) => hunks.length > 0),
    leftOut: users.filter(({ isMixed }) => !isMixed).map(({ path }) => path),
    also: work.filter((path) => ledger.get(path)?.isShared === true),
  };
}

/** Files of a check-in whose lines are looked at; of the others it tells how many lines there are. */
const MAX_FILES = 20;
const MAX_BYTES = 300_000;

/** What changed in each file, for the screen: secrets go before anything is compared, so that no cut lets one through. */
export async function readDiff(
  changes: readonly TreeChange[],
  trees: Pick<Trees, "bytes">,
  { redact, isSensitive }: { readonly redact: Redactor; isSensitive(path: string): boolean },
): Promise<DiffFile[]> {
  const clean = (text: string): string => terminalText(redact(text));
  const open = withMoves(changes).filter(
    ({ path, before, after }) => before.id !== after.id && !isSensitive(path),
  );
  const shown = open
    .slice(0, MAX_FILES)
    .map(async (change) => diffOf(trees, change, { shown: clean, maxBytes: MAX_BYTES }));
  return (await Promise.all(shown)).flatMap((file) => (file !== null && file.hunks.length > 0 ? [file] : []));
}

const MAX_OF_FILE = 12;
const MAX_SHOWN = 30;
const MAX_LINE = 140;
const MARKS = { added: "+", removed: "-", context: " " };

/** The changed lines of each file of a check-in by its path, with their numbers, for a transcript. Pure. */
export function renderChangedLines(files: readonly DiffFile[]): ReadonlyMap<string, readonly string[]> {
  let room = MAX_SHOWN;
  return new Map(
    files.map(({ path, hunks }) => {
      const changed = hunks.flatMap(({ lines }) => lines).filter(({ kind }) => kind !== "context");
      const shown = changed.slice(0, Math.min(MAX_OF_FILE, room));
      room -= shown.length;
      const more = changed.length - shown.length;
      const lines = shown.map(({ kind, text, line }) => {
        return `    ${String(line).padStart(4)} ${MARKS[kind]} ${head(text, MAX_LINE)}`.trimEnd();
      });
      return [path, more > 0 ? [...lines, `         … ${more} more line${more === 1 ? "" : "s"}`] : lines];
    }),
  );
}
