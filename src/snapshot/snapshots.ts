import { createHash } from "node:crypto";
import { lstat, readlink } from "node:fs/promises";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { takingTurns } from "../lib/async.ts";
import { readRegular } from "../lib/read-source.ts";
import { ownDataFolder } from "../lib/folders.ts";
import { restoreFiles, type RestoredFile } from "./restore.ts";
import { openShadow, type Shadow } from "./shadow.ts";
import { MAX_FILE_BYTES, type Taken, takeTree } from "./take.ts";
import {
  COMPARE,
  FILE,
  type FileVersion,
  isSame,
  LINK,
  NO_FILE,
  OPAQUE,
  parseBlobs,
  parseRaw,
  PROGRAM,
  stampOf,
  type TreeChange,
} from "./version.ts";

const MAX_AT_ONCE = 100;
const MAX_BATCH = 256_000_000;
/** Identifies all files of a project at one moment, by content. */
export type TreeId = string;

export type FileNow = FileVersion & { readonly bytes: Buffer | null };

export type Snapshots = ReturnType<typeof openSnapshots>;

/**
 * Snapshots of a project's files (SPEC 10), byte for byte: all that are tracked or not ignored, also in nested repositories, without
 * the record. The same in git, Jujutsu and plain folders. They are kept in the plugin's data folder; the user's index, refs, stash
 * and files are never touched. Nothing here throws.
 * @param data the folder of the shadows of all projects
 */
export function openSnapshots(directory: string, data = join(ownDataFolder(process.env), "snapshots")) {
  let opened: Promise<Shadow | null> | null = null;
  const shadow = async (): Promise<Shadow | null> => {
    const at = await (opened ??= openShadow(directory, data).catch(() => null));
    // After a failure the next call tries again.
    if (at === null) opened = null;
    return at;
  };
  const hashOf = async (): Promise<Shadow["hash"]> => (await shadow())?.hash ?? "sha1";
  let last: Taken | null = null;
  // A call during a snapshot gets the next one, shared with all calls until then.
  const inTurn = takingTurns(async () => {
    const at = await shadow();
    last = at === null ? null : await takeTree(at, last).catch(() => null);
    return last?.tree ?? null;
  });
  /** The newest answer: the next call mostly asks for the same. */
  let compared: readonly [of: string, changes: readonly TreeChange[]] | null = null;
  const load = inBatches(async (ids) => {
    const told = await (
      await shadow()
    )?.git(["cat-file", "--batch"], { input: ids.join("\n"), maxBytes: MAX_BATCH });
    return told?.ok === true ? parseBlobs(told.bytes) : new Map();
  });
  /** The bytes of a version; null for a file that is too large, or for objects that are too old. */
  const bytes = async ({ id, mode }: FileVersion): Promise<Buffer | null> =>
    mode === OPAQUE || id === "" ? null : load(id);
  const versionNow = async (path: string): Promise<FileNow> =>
    readNow(join(directory, path), await hashOf()).catch(() => ({ ...NO_FILE, bytes: null }));
  const empty = async (): Promise<TreeId> =>
    createHash(await hashOf())
      .update("tree 0\0")
      .digest("hex");
  return {
    /** Takes one now; null where the folder or git is missing, there are too many files, or the signal is aborted. */
    async take(signal?: AbortSignal): Promise<TreeId | null> {
      const isAwaited = (): boolean => signal?.aborted !== true;
      const tree = isAwaited() ? await inTurn((seen) => seen) : null;
      return isAwaited() ? tree : null;
    },
    /** The changes between two trees, also of the user's own repository; null where one is gone. */
    async diff(from: TreeId, to: TreeId): Promise<readonly TreeChange[] | null> {
      if (from === to) return [];
      const of = `${from} ${to}`;
      if (compared?.[0] === of) return compared[1];
      const told = await (await shadow())?.git([...COMPARE, from, to]);
      if (told?.ok !== true) return null;
      compared = [of, parseRaw(told.text)];
      return compared[1];
    },
    /** The project's files in a commit of the user's repository; null where it is not there. */
    async treeOf(commit: string): Promise<TreeId | null> {
      const at = await shadow();
      if (at === null || !/^[0-9a-f]+$/u.test(commit)) return null;
      const asked = ["rev-parse", "--verify", "--quiet", `${commit}:${at.below.slice(0, -1)}`];
      const { ok, text } = await at.git(asked);
      if (ok) return text.trim();
      // The root commit of Jujutsu, or a commit without this folder.
      const isThere =
        commit.replaceAll("0", "") === "" || (await at.git(["cat-file", "-e", `${commit}^{commit}`])).ok;
      return isThere ? empty() : null;
    },
    bytes,
    versionNow,
    restore: async (changes: readonly TreeChange[]): Promise<RestoredFile[]> =>
      restoreFiles(directory, { bytes, versionNow }, changes),
    empty,
  };
}

/** The text of a version; null for a binary file, one over `max` bytes, or one that is not kept. */
export async function versionText(
  snapshots: Pick<Snapshots, "bytes">,
  version: FileVersion,
  max = Infinity,
): Promise<string | null> {
  if (isSame(version, NO_FILE)) return "";
  const bytes = await snapshots.bytes(version);
  return bytes === null || bytes.length > max || bytes.includes(0) ? null : bytes.toString("utf8");
}

function inBatches(
  ask: (ids: readonly string[]) => Promise<ReadonlyMap<string, Buffer>>,
): (id: string) => Promise<Buffer | null> {
  let waiting: Set<string> | null = null;
  let answer: Promise<ReadonlyMap<string, Buffer>> = Promise.resolve(new Map());
  return async (id) => {
    if (waiting === null || waiting.size >= MAX_AT_ONCE) {
      const ids = (waiting = new Set());
      answer = nextTurn().then(async () => {
        if (waiting === ids) waiting = null;
        return ask([...ids]);
      });
    }
    waiting.add(id);
    return (await answer).get(id) ?? null;
  };
}

/** Reads a file from disk. @param max bytes; a larger one is identified by size and time */
export async function readNow(path: string, hash: string, max = MAX_FILE_BYTES): Promise<FileNow> {
  const entry = await lstat(path, { bigint: true });
  if (!entry.isFile() && !entry.isSymbolicLink()) return { ...NO_FILE, bytes: null };
  const bytes = entry.isSymbolicLink() ? Buffer.from(await readlink(path)) : await readRegular(path, max);
  if (bytes === null) return { id: stampOf(entry, hash), mode: OPAQUE, bytes };
  const id = createHash(hash).update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
  return { id, mode: entry.isSymbolicLink() ? LINK : entry.mode & 0o100n ? PROGRAM : FILE, bytes };
}
