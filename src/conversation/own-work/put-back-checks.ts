import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { PutBack, PutBackResult } from "../../checks/check-session.ts";
import { matchesParsed, parsePattern } from "../../lib/path-pattern.ts";
import { isFolder, isSame, NO_FILE, type TreeChange } from "../../vcs/tree/state.ts";
import { undoChanges } from "./undo.ts";
import type { Work, WorkWatch } from "./work-watch.ts";

/** Runs of checks of which it is kept what was taken back. */
const MAX_KEPT_RUNS = 20;
/** Larger together than this is not kept, in bytes. */
const MAX_KEPT_BYTES = 20_000_000;

/** What puts files back in one tree. */
export interface PutBackPlace {
  readonly watch: Pick<WorkWatch, "reader" | "begin" | "end" | "putBack">;
  readonly project: string;
  /** Where it is kept what was taken back: someone may have saved a file while a check ran; null keeps nothing. */
  readonly aside: string | null;
  /** Files whose content is kept nowhere. */
  readonly isSensitive: (path: string) => boolean;
}

/**
 * Puts back what a command changed that was only to check: files that version control does not ignore, but for those that its
 * globs name (SPEC 9). What another call may have changed as well stays. Never throws.
 * @param name of the run, of its own
 */
export async function putBackAfterCheck(
  { watch, project, aside, isSensitive }: PutBackPlace,
  name: string,
  { own, shared, isKnown }: Pick<Work, "own" | "shared" | "isKnown">,
  writes: readonly string[],
): Promise<PutBackResult> {
  const { reader } = watch;
  const globs = writes.flatMap((glob) => parsePattern(glob, true) ?? []);
  const isAllowed = ({ path }: TreeChange): boolean => matchesParsed(path, globs);
  const wanted = reader === null ? [] : own.filter((change) => !isAllowed(change) && !isFolder(change.after));
  const left = [...shared, ...own.filter(({ after }) => isFolder(after))].filter((each) => !isAllowed(each));
  const kept = own.filter(isAllowed).map(({ path }) => path);
  if (reader === null || wanted.length === 0)
    return { restored: [], kept, left: left.map(({ path }) => path), aside: "", isKnown };
  const place =
    aside === null
      ? ""
      : await keepAside(
          join(aside, name),
          reader,
          wanted.filter(({ path }) => !isSensitive(path)),
        );
  await watch.begin(
    `${name}-back`,
    wanted.map(({ path }) => path),
    false,
  );
  const results = await undoChanges(project, reader, wanted);
  await watch.end(`${name}-back`);
  const back = results.filter((each) => each.left === null).map(({ change }) => change);
  watch.putBack(back);
  const stays = results.flatMap(({ change, left: why }) => (why === null ? [] : [`${change.path} (${why})`]));
  return {
    restored: back.map(({ path }) => path),
    kept,
    left: [...left.map(({ path }) => path), ...stays],
    aside: place,
    isKnown,
  };
}

/** Watches the checks of the host in one tree. */
export function createChecksPutBack(place: PutBackPlace): PutBack {
  return {
    begin: async (id) => place.watch.begin(id, [], true),
    async end(id, writes) {
      const work = await place.watch.end(id);
      const nothing = { own: [], shared: [], isKnown: false };
      return putBackAfterCheck(place, `${Date.now().toString(36)}-${id}`, work ?? nothing, writes);
    },
  };
}

/** Keeps the files that checks left, but for those that they deleted. @returns where; empty for nothing */
async function keepAside(
  folder: string,
  reader: NonNullable<WorkWatch["reader"]>,
  changes: readonly TreeChange[],
): Promise<string> {
  let left = MAX_KEPT_BYTES;
  let hasKept = false;
  try {
    for (const { path, after } of changes.filter((each) => !isSame(each.after, NO_FILE))) {
      const bytes = await reader.bytes(path, after);
      left -= bytes?.length ?? 0;
      if (bytes === null || left < 0) continue;
      await mkdir(dirname(join(folder, path)), { recursive: true, mode: 0o700 });
      await writeFile(join(folder, path), bytes, { mode: 0o600 });
      hasKept = true;
    }
    const runs = await readdir(dirname(folder)).catch(() => []);
    for (const old of runs.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, -MAX_KEPT_RUNS))
      await rm(join(dirname(folder), old), { recursive: true, force: true });
  } catch {
    // What cannot be kept is put back all the same.
  }
  return hasKept ? folder : "";
}
