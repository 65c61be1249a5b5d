import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { restoreFiles } from "../../src/snapshot/restore.ts";
import type { FileNow, Snapshots, TreeId } from "../../src/snapshot/snapshots.ts";
import { MAX_FILE_BYTES } from "../../src/snapshot/take.ts";
import {
  FILE,
  type FileVersion,
  isSame,
  LINK,
  NO_FILE,
  OPAQUE,
  PROGRAM,
  stampOf,
  type TreeChange,
} from "../../src/snapshot/version.ts";

/**
 * Snapshots of a plain folder in this process's memory, in place of `src/snapshot/snapshots.ts`: git is a program, and sees no
 * file of a schedule. Held against the real ones by `test/snapshot/conformance.test.ts`. No rules of ignored files are read.
 */
// An export of this file goes before one of the same name.
export * from "../../src/snapshot/snapshots.ts";

const LEFT_OUT: ReadonlySet<string> = new Set([".git", ".jj"]);

type Tree = ReadonlyMap<string, FileVersion>;

export function openSnapshots(directory: string): Snapshots {
  const trees = new Map<TreeId, Tree>();
  const blobs = new Map<string, Buffer>();

  const now = (path: string): FileNow => {
    const file = join(directory, path);
    const entry = lstatSync(file, { bigint: true, throwIfNoEntry: false });
    if (entry === undefined || !(entry.isFile() || entry.isSymbolicLink()))
      return { ...NO_FILE, bytes: null };
    if (entry.size > MAX_FILE_BYTES) return { id: stampOf(entry, "sha1"), mode: OPAQUE, bytes: null };
    const isLink = entry.isSymbolicLink();
    const bytes = isLink ? Buffer.from(readlinkSync(file)) : readFileSync(file);
    const id = createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
    return { id, mode: isLink ? LINK : (entry.mode & 0o100n) === 0n ? FILE : PROGRAM, bytes };
  };
  const keep = (tree: Tree): TreeId => {
    const rows = [...tree].map(([path, { id, mode }]) => `${path}\0${mode} ${id}\0`);
    const id = createHash("sha1").update(rows.toSorted().join("")).digest("hex");
    trees.set(id, tree);
    return id;
  };
  const walk = (folder: string, into: Map<string, FileVersion>): void => {
    for (const name of readdirSync(join(directory, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      if (LEFT_OUT.has(name) || path === ".gaia") continue;
      const { id, mode, bytes } = now(path);
      if (id !== "") into.set(path, { id, mode });
      else if (lstatSync(join(directory, path)).isDirectory()) walk(path, into);
      if (bytes !== null) blobs.set(id, bytes);
    }
  };

  const snapshots: Snapshots = {
    async take() {
      const tree = new Map<string, FileVersion>();
      try {
        walk("", tree);
      } catch {
        return null;
      }
      return keep(tree);
    },
    async diff(from, to) {
      const [a, b] = [trees.get(from), trees.get(to)];
      if (from === to) return [];
      if (a === undefined || b === undefined) return null;
      const paths = [...new Set([...a.keys(), ...b.keys()])].toSorted();
      const changes = paths.map((path): TreeChange => ({
        path,
        before: a.get(path) ?? NO_FILE,
        after: b.get(path) ?? NO_FILE,
      }));
      return changes.filter(({ before, after }) => !isSame(before, after));
    },
    bytes: async ({ id, mode }) => (mode === OPAQUE ? null : (blobs.get(id) ?? null)),
    versionNow: async (path) => now(path),
    restore: async (changes) => restoreFiles(directory, snapshots, changes),
    treeOf: async () => null,
    empty: async () => keep(new Map()),
  };
  return snapshots;
}
