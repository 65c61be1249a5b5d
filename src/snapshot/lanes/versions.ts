import { existsSync } from "node:fs";
import { lstat, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readNow } from "../snapshots.ts";
import {
  COMPARE,
  type FileVersion,
  isSame,
  nulRows,
  parseBlobs,
  parseRaw,
  type TreeChange,
} from "../version.ts";
import { askLaneGit, askUsers, failed, MAX_BYTES, modulesOf } from "./run-git.ts";
import { inStore, type LaneStore, own } from "./store.ts";

/** The files in which two trees differ. */
export async function laneChanges(store: LaneStore, from: string, to: string): Promise<TreeChange[]> {
  return parseRaw(await own(store, ...COMPARE, from, to));
}

/** What the files are to hold, all in one question. @throws GaiaError where git does not give one */
export async function contentsOf(store: LaneStore, changes: readonly TreeChange[]): Promise<Buffer[]> {
  const ids = changes.map(({ after }) => after.id).filter(Boolean);
  const blobs = parseBlobs((await askLaneGit(inStore(store), ["cat-file", "--batch"], ids.join("\n"))).bytes);
  return changes.map(({ path, after }) => {
    const bytes = after.id === "" ? Buffer.of() : blobs.get(after.id);
    if (bytes === undefined) throw failed(`git does not give ${path}.`);
    return bytes;
  });
}

export async function isVersion(path: string, version: FileVersion): Promise<boolean> {
  const now = await readNow(path, version.id.length === 64 ? "sha256" : "sha1", MAX_BYTES).catch(() => null);
  // Windows knows no mode.
  const isPlain =
    process.platform === "win32" && [now, version].every((each) => each?.mode.startsWith("100"));
  return now !== null && (isSame(now, version) || (isPlain && now.id === version.id));
}
/** Of these files one that is in a conflict of the user's: what lands there goes with `git merge --abort`. Null for none. */
export async function unsettled({ top }: LaneStore, paths: readonly string[]): Promise<string | null> {
  const { text } = await askUsers(top, "ls-files", "-z", "--unmerged");
  const open = new Set(nulRows(text).map((row) => row.slice(row.indexOf("\t") + 1)));
  return paths.find((path) => open.has(path)) ?? null;
}

export type IsWay = (path: string) => Promise<boolean>;

/**
 * Whether the way to a path is folders of the user's own tree: no link leads out, and no other repository begins but one that is a
 * part of the tree.
 * @param tree as it was looked at, with what its submodules hold
 */
export async function waysIn(store: LaneStore, tree: string): Promise<IsWay> {
  const { top } = store;
  const modules = await modulesOf({ folder: top });
  // What lies in one that is not checked out is seen by nobody.
  const hidden = modules.filter(({ path }) => !existsSync(join(top, path, ".git")));
  const known = new Map<string, Promise<boolean>>();
  const isPart = async (folder: string): Promise<boolean> => {
    const kind = known.get(folder) ?? isTree(store, `${tree}:${folder}`);
    known.set(folder, kind);
    return kind;
  };
  return async (path) => {
    if (hidden.some((module) => path.startsWith(`${module.path}/`))) return false;
    for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
      const entry = await lstat(join(top, folder)).catch(() => null);
      if (entry !== null && !entry.isDirectory()) return false;
      if (existsSync(join(top, folder, ".git")) && !(await isPart(folder))) return false;
    }
    return true;
  };
}

async function isTree(store: LaneStore, name: string): Promise<boolean> {
  return (await askLaneGit(inStore(store), ["cat-file", "-t", name])).text === "tree";
}

export async function dropEmpty(top: string, path: string): Promise<void> {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const code = await rmdir(join(top, folder)).catch(({ code: why }: NodeJS.ErrnoException) => why);
    if (code !== undefined && code !== "ENOENT") return;
  }
}

/** Git may store other line ends than the files on disk have. */
const COUNT = ["diff-tree", "-r", "-z", "--numstat", "--no-renames", "--ignore-cr-at-eol"];

/** How much two trees differ, by files and by lines; a binary file counts as one line. */
export async function sizeOf(store: LaneStore, from: string, to: string) {
  const rows = nulRows(await own(store, ...COUNT, from, to)).map((row) => row.split("\t"));
  const sum = (at: 0 | 1, ofBinary: number): number =>
    rows.reduce((all, row) => all + (row[at] === "-" ? ofBinary : Number(row[at])), 0);
  return { files: rows.length, added: sum(0, 1), removed: sum(1, 0) };
}
