import type { Trees } from "../../snapshot/vcs.ts";
import { excerpt } from "../../lib/excerpt.ts";
import type { Clock } from "../../lib/clock.ts";
import type { FileNow } from "../../snapshot/snapshots.ts";
import { type FileVersion, isSame, type TreeChange } from "../../snapshot/version.ts";

const MAX_LINE = 90;

export interface Refused {
  readonly path: string;
  /** What would have been there, or was; empty where it is not known. */
  readonly text: string;
  readonly how: "refused" | "took back" | "replaced";
}

/** What the user did not want of a file, and what was put there after it, as one sentence; null where both are the same. */
export function describeReplaced({ path, text, how }: Refused, instead: string): string | null {
  const [old, fresh] = [lineOf(text, instead), lineOf(instead, text)];
  if (old === "" || fresh === "") return null;
  if (how === "replaced")
    return `In ${path} the user wrote "${excerpt(fresh, MAX_LINE)}" over "${excerpt(old, MAX_LINE)}".`;
  return `In ${path} the user ${how} "${excerpt(old, MAX_LINE)}"; "${excerpt(fresh, MAX_LINE)}" came in its place.`;
}

function lineOf(text: string, other: string): string {
  const known = new Set(other.split("\n").map((line) => line.trim()));
  const lines = text.split("\n").map((line) => line.trim());
  return lines.find((line) => /[\p{L}\p{N}]/u.test(line) && !known.has(line)) ?? "";
}

/** The least part of the lines of a change whose end says that it was not wanted. */
const MOST_OF = 0.5;

interface NewLines {
  readonly lines: readonly string[];
  /** All that stood there before and after it, as {@link plain} has it. */
  readonly known: ReadonlySet<string>;
}

function writtenOf(before: string | null, after: string | null): NewLines | null {
  if (before === null || after === null) return null;
  const [old, fresh] = [before.split("\n"), after.split("\n")];
  const had = new Set(old.map(plain));
  const lines = fresh.filter((line) => /[\p{L}\p{N}]/u.test(line) && !had.has(plain(line)));
  return lines.length === 0 ? null : { lines, known: new Set([...had, ...fresh.map(plain)]) };
}

/** What of a change is gone from a file, and what stands there instead; null where most of it still stands. */
function overwrittenBy(
  { lines, known }: NewLines,
  now: string,
): { readonly gone: string; readonly instead: string } | null {
  const whole = plain(now);
  const gone = lines.filter((line) => !whole.includes(plain(line)));
  if (gone.length === 0 || gone.length < lines.length * MOST_OF) return null;
  const instead = now.split("\n").filter((line) => !known.has(plain(line)));
  return { gone: gone.join("\n"), instead: instead.join("\n") };
}

/** Without what a formatter changes: blanks and breaks, kinds of quotes, what ends a line. */
function plain(text: string): string {
  return text
    .replaceAll(/\s+/g, "")
    .replaceAll(/['`]/g, '"')
    .replace(/[;,]+$/, "");
}

const MAX_CALLS = 20;
/** Files of a batch that are looked at; of more it is not told what became of them. */
const MAX_CHANGES = 100;
const MAX_REFUSED = 20;
const MAX_WORDS = 180;
const MAX_BYTES = 100_000;
/** Files of a batch whose lines are remembered: each may be a question to git. */
const MAX_WRITTEN = 20;

export interface Whose {
  /** Whether the user themselves left a file as it is now, committed or not, since then in milliseconds. */
  isUsers(path: string, now: FileVersion, since: number): Promise<boolean>;
  /** From now on: whether a file is as it is by a call of anyone's, or because another branch is checked out. */
  watch(): (path: string, now: FileVersion) => boolean;
}

/** An edit before it is made; the path is relative to the project. */
type PlannedEdit = Pick<Refused, "path" | "text">;

/** Finds what the user refuses in a dialog, takes back, or writes anew over the work. */
export function createUnwanted(
  trees: Pick<Trees, "versionNow" | "bytes">,
  whose: Whose,
  clock: Pick<Clock, "now">,
  listener: {
    found(paths: readonly string[], words: string): void;
    replaced(refused: Refused, instead: string): void;
    overwrote(path: string, how: string | null): void;
  },
) {
  const edits = new Map<string, readonly PlannedEdit[]>();
  const asking = new Map<string, readonly PlannedEdit[]>();
  let refused: readonly Refused[] = [];
  /** Files of the rejection that came last, which may be explained yet. */
  let unexplained: readonly string[] = [];
  /** What the last turn left, and what calls have touched since. */
  let left: readonly TreeChange[] = [];
  let leftAt = 0;
  let isOthers = whose.watch();
  const touched = new Set<string>();
  /** What the changes that are left wrote. */
  let written: ReadonlyMap<string, NewLines> = new Map();
  /** Changes that something was found of: nothing of them is found twice. */
  const judged = new Set<string>();

  const textOf = async (version: FileVersion): Promise<string | null> => {
    if (version.id === "") return "";
    return readText(await trees.bytes(version));
  };
  const wasUndone = (now: FileVersion, { before, after }: TreeChange): boolean =>
    before.id !== after.id && isSame({ ...now, mode: "" }, { ...before, mode: "" });
  const takenBack = async ({ path, after }: TreeChange): Promise<Refused> => ({
    path,
    text: (await textOf(after)) ?? "",
    how: "took back",
  });
  /** Whether the user wrote their own over it, or took it out. */
  const lookAt = async (now: FileNow, change: TreeChange): Promise<void> => {
    const wrote = written.get(keyOf(change));
    if (wrote === undefined || isSame({ ...now, mode: "" }, { ...change.after, mode: "" })) return;
    const text = now.id === "" ? "" : readText(now.bytes);
    const found = text === null ? null : overwrittenBy(wrote, text);
    if (found === null || !(await whose.isUsers(change.path, now, leftAt))) return;
    judged.add(keyOf(change));
    listener.overwrote(
      change.path,
      describeReplaced({ path: change.path, text: found.gone, how: "replaced" }, found.instead),
    );
  };
  const find = (fresh: readonly Refused[], words: string): void => {
    refused = [...refused, ...fresh].slice(-MAX_REFUSED);
    const paths = fresh.map(({ path }) => path);
    listener.found(paths, excerpt(words, MAX_WORDS));
  };

  return {
    begins(callId: string, planned: readonly PlannedEdit[]): void {
      edits.set(callId, planned);
      forgetOldest(edits);
    },
    asked(requestId: string, callId: string): void {
      asking.set(requestId, edits.get(callId) ?? []);
      forgetOldest(asking);
    },
    rejected(requestId: string, words: string): void {
      const found = asking.get(requestId) ?? [];
      asking.delete(requestId);
      unexplained = words === "" ? found.map(({ path }) => path) : [];
      if (found.length === 0) return;
      find(
        found.map((each) => ({ ...each, how: "refused" as const })),
        words,
      );
    },
    explained(words: string): void {
      if (unexplained.length > 0) listener.found(unexplained, excerpt(words, MAX_WORDS));
      unexplained = [];
    },
    changed(paths: readonly string[]): void {
      for (const path of paths) touched.add(path);
    },
    edited(path: string, text: string): void {
      touched.add(path);
      const found = refused.find((each) => each.path === path);
      refused = refused.filter((each) => each !== found);
      if (found !== undefined) listener.replaced(found, text);
    },
    /** Looks whether untouched files are as before, or the user's own. @param words what the user writes; empty for nothing */
    async look(words: string): Promise<void> {
      const back: TreeChange[] = [];
      for (const change of left) {
        if (touched.has(change.path) || judged.has(keyOf(change))) continue;
        const now = await trees.versionNow(change.path);
        if (!wasUndone(now, change)) await lookAt(now, change);
        else if (!isOthers(change.path, now)) back.push(change);
      }
      for (const change of back) judged.add(keyOf(change));
      if (back.length > 0) find(await Promise.all(back.map(takenBack)), words);
    },
    async remember(changes: readonly TreeChange[]): Promise<void> {
      touched.clear();
      leftAt = clock.now();
      isOthers = whose.watch();
      left = changes.slice(0, MAX_CHANGES);
      const next = new Map<string, NewLines>();
      for (const change of left.slice(0, MAX_WRITTEN)) {
        const known = written.get(keyOf(change));
        const texts =
          known === undefined ? await Promise.all([textOf(change.before), textOf(change.after)]) : null;
        const wrote = known ?? writtenOf(texts?.[0] ?? null, texts?.[1] ?? null);
        if (wrote !== null) next.set(keyOf(change), wrote);
      }
      written = next;
      for (const key of judged) if (!left.some((change) => keyOf(change) === key)) judged.delete(key);
    },
  };
}

function readText(bytes: Buffer | null): string | null {
  return bytes === null || bytes.length > MAX_BYTES || bytes.includes(0) ? null : bytes.toString("utf8");
}

function keyOf({ path, after }: TreeChange): string {
  return `${path}\n${after.id}`;
}

export function forgetOldest(map: Map<string, unknown>, most = MAX_CALLS): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
