import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, readFile, readlink, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { askGit, askUsers, failed, rowsOf } from "./run-git.ts";
import { inStore, type LaneStore, own } from "./store.ts";

/** A file at one moment; an empty id where there is none. */
export interface Version {
  readonly id: string;
  readonly mode: string;
}

/** One file that landing changes. */
export interface Step {
  readonly path: string;
  readonly from: Version;
  readonly to: Version;
}

/** Git's mode for a symbolic link. */
export const LINK = "120000";

/** The files in which two trees differ, without guessing at renames. */
export async function changesOf(store: LaneStore, from: string, to: string): Promise<Step[]> {
  const rows = rowsOf(await own(store, "diff-tree", "-r", "-z", "--no-renames", from, to));
  return rows.flatMap((row, at) => {
    if (at % 2 === 1) return [];
    const [modeA = "", modeB = "", idA = "", idB = ""] = row.slice(1).split(" ");
    const version = (id: string, mode: string): Version => ({ id: id.replace(/^0+$/u, ""), mode });
    return [{ path: rows[at + 1] ?? "", from: version(idA, modeA), to: version(idB, modeB) }];
  });
}

/** What the files are to hold, all in one question. @throws GaiaError where git does not give one */
export async function contentsOf(store: LaneStore, steps: readonly Step[]): Promise<Buffer[]> {
  const ids = steps.map(({ to }) => to.id).filter(Boolean);
  const { bytes } = await askGit(inStore(store), ["cat-file", "--batch"], ids.join("\n"));
  let at = 0;
  return steps.map(({ path, to }) => {
    if (to.id === "") return Buffer.of();
    const end = bytes.indexOf("\n", at);
    const [id, kind, size = ""] = bytes.toString("latin1", at, end).split(" ");
    if (id !== to.id || kind !== "blob") throw failed(`git does not give ${path}.`);
    at = end + 2 + Number(size);
    return bytes.subarray(end + 1, at - 1);
  });
}

/** Whether a file is this version, by its bytes. */
export async function isVersion(path: string, { id, mode }: Version): Promise<boolean> {
  const entry = await lstat(path).catch(() => null);
  const isLink = entry?.isSymbolicLink() === true;
  if (isLink !== (mode === LINK) || !(isLink || entry?.isFile() === true)) return false;
  const runs = ((entry?.mode ?? 0) & 0o100) !== 0;
  if (!isLink && process.platform !== "win32" && runs !== (mode === "100755")) return false;
  const bytes = isLink ? await readlink(path, "buffer") : await readFile(path);
  const hash = createHash(id.length === 64 ? "sha256" : "sha1");
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest("hex") === id;
}

/** Of these files one that is in a conflict of the user's: what lands there goes with `git merge --abort`. Null for none. */
export async function unsettled({ top }: LaneStore, paths: readonly string[]): Promise<string | null> {
  const { text } = await askUsers(top, "ls-files", "-z", "--unmerged");
  const open = new Set(rowsOf(text).map((row) => row.slice(row.indexOf("\t") + 1)));
  return paths.find((path) => open.has(path)) ?? null;
}

/** Whether the way to a path is folders of the user's own tree, where git sees what lies there. */
export type IsWay = (path: string) => Promise<boolean>;

/** The ways in a user's tree. @param tree as it was looked at, with what its submodules hold */
export async function waysIn(store: LaneStore, tree: string): Promise<IsWay> {
  const { text } = await askUsers(store.top, "ls-files", "-z", "--stage");
  const modules = rowsOf(text).flatMap((row) =>
    row.startsWith("16") ? [row.slice(row.indexOf("\t") + 1)] : [],
  );
  // What lies in one that is not checked out is seen by nobody.
  const hidden = modules.filter((path) => !existsSync(join(store.top, path, ".git")));
  const known = new Map<string, Promise<boolean>>();
  const isPart = async (folder: string): Promise<boolean> => {
    const asked =
      known.get(folder) ??
      askGit(inStore(store), ["cat-file", "-t", `${tree}:${folder}`]).then(
        ({ text: kind }) => kind === "tree",
      );
    known.set(folder, asked);
    return asked;
  };
  return async (path) =>
    !hidden.some((module) => path.startsWith(`${module}/`)) && isOpen(store.top, path, isPart);
}

/**
 * Whether the way to a path is folders of the user's own tree: no link leads out, and no other repository begins.
 * @param isPart whether one that begins at a folder is a part of the tree
 */
export async function isOpen(top: string, path: string, isPart: IsWay = async () => false): Promise<boolean> {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const entry = await lstat(join(top, folder)).catch(() => null);
    if (entry !== null && !entry.isDirectory()) return false;
    if (existsSync(join(top, folder, ".git")) && !(await isPart(folder))) return false;
  }
  return true;
}

/** Removes the folders of a file that hold nothing any more. */
export async function dropEmpty(top: string, path: string): Promise<void> {
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    const code = await rmdir(join(top, folder)).catch(({ code: why }: NodeJS.ErrnoException) => why);
    if (code !== undefined && code !== "ENOENT") return;
  }
}
