import { existsSync } from "node:fs";
import { lstat, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { askGit, failed, git, type GitPlace, rowsOf } from "./run-git.ts";

/** The record stays in the user's tree. */
const RECORD = /(?:^|\/)\.gaia(?:\/|$)/u;
const MAX_FILES = 60_000;
/** What git puts before a file that its index does not hold; another letter, as long, stands before the rest. */
const OTHER = "? ";
/** What stands for bytes that are no UTF-8. */
const UNREADABLE = "\uFFFD";

/** What lies in a working tree. */
interface Found {
  /** Files and links that git tracks or does not ignore, those of submodules and of other repositories inside as well. */
  readonly files: string[];
  /** Those repositories. */
  readonly inner: string[];
  /** Files that are left out, for their names are no UTF-8. */
  readonly unnamed: string[];
}

/** A working tree and its index. */
export interface Listed extends Found {
  /** What the index holds, whether it is there or not. */
  readonly held: readonly string[];
}

/**
 * Lists a working tree without the record, and without what lies behind a link. Repositories inside are plain files in a lane, so
 * that work in them is merged and lands as any other; one that git does not read, or that holds too much, is left out.
 * @param place with the index that says what is tracked @throws GaiaError where there is too much of it
 */
export async function listFiles(place: GitPlace): Promise<Listed> {
  const found: Found = { files: [], inner: [], unnamed: [] };
  const held = await list(place, "", found);
  if (held === null) throw failed(`git does not list the files of ${place.folder}.`);
  if (found.files.length > MAX_FILES) throw failed(`${place.folder} has more than ${MAX_FILES} files.`);
  return { ...found, held };
}

/** @param below where the repository lies, with a slash behind it @returns what its index holds; null where git does not list it */
async function list(place: GitPlace, below: string, to: Found): Promise<readonly string[] | null> {
  const asked = ["ls-files", "-z", "-t", "--cached", "--others", "--exclude-standard"];
  const { code, text } = await askGit(place, asked);
  if (code !== 0) return null;
  const rows = rowsOf(text);
  const held = rows.filter((row) => !row.startsWith(OTHER)).map((row) => row.slice(OTHER.length));
  const paths = [...new Set(rows.map((row) => row.slice(OTHER.length)))].filter((path) => !RECORD.test(path));
  const isReal = realFolders();
  const entries = await Promise.all(
    paths.map(async (path) => {
      const full = join(place.folder, path);
      return (await isReal(dirname(full))) ? lstat(full).catch(() => null) : null;
    }),
  );
  for (const [index, path] of paths.entries()) {
    const entry = entries[index] ?? null;
    if (entry?.isFile() === true || entry?.isSymbolicLink() === true) to.files.push(below + path);
    else if (entry?.isDirectory() === true)
      await listInner(place.folder, path.replace(/\/$/u, ""), below, to);
    else if (path.includes(UNREADABLE)) to.unnamed.push(below + path);
  }
  return held;
}

/** A submodule, another repository, or what stands in the place of a file that git tracks, of which git tells nothing. */
async function listInner(top: string, path: string, below: string, to: Found): Promise<void> {
  const folder = join(top, path);
  if (!existsSync(join(folder, ".git"))) return;
  const inner: Found = { files: [], inner: [], unnamed: [] };
  const held = await list({ folder, settings: "user" }, `${below}${path}/`, inner);
  if (held === null || to.files.length + inner.files.length > MAX_FILES) return;
  // No spread: it may be thousands.
  for (const file of inner.files) to.files.push(file);
  to.inner.push(folder, ...inner.inner);
  to.unnamed.push(...inner.unnamed);
}

/** Whether a folder is one, and no link to one. */
function realFolders(): (folder: string) => Promise<boolean> {
  const known = new Map<string, Promise<boolean>>();
  return async (folder) => {
    const asked =
      known.get(folder) ??
      realpath(folder)
        .then((path) => path === folder)
        .catch(() => false);
    known.set(folder, asked);
    return asked;
  };
}

/** What the index of a place holds; null for one that is broken. */
export async function heldIn(place: GitPlace): Promise<readonly string[] | null> {
  const { code, text } = await askGit(place, ["ls-files", "-z"]);
  return code === 0 ? rowsOf(text) : null;
}

/**
 * The tree of exactly these files, in the index of a place that the caller lets one at a time into.
 * @param held what that index holds; null for one that is broken
 * @param use begins while it is looked whether all of the tree is there, and once more with another where it is not
 */
export async function treeOf<T>(
  place: GitPlace,
  files: readonly string[],
  held: readonly string[] | null,
  use: (tree: string) => Promise<T>,
): Promise<T> {
  const index = place.env?.["GIT_INDEX_FILE"] ?? "";
  // The process that left it was killed.
  await rm(`${index}.lock`, { force: true });
  const tree = held === null ? null : await treeIn(place, files, held).catch(() => null);
  if (tree !== null) {
    const used = use(tree);
    used.catch(() => undefined);
    if (await isWhole(place, tree)) return used;
  }
  // It is broken, or knows by its looks a file whose bytes the user's git has thrown away since.
  await rm(index, { force: true });
  return use(await treeIn(place, files, []));
}

async function treeIn(place: GitPlace, files: readonly string[], held: readonly string[]): Promise<string> {
  const wanted = new Set(files);
  const gone = held.filter((path) => !wanted.has(path));
  const update = ["update-index", "-z"];
  if (gone.length > 0) await git(place, [...update, "--force-remove", "--stdin"], gone.join("\0"));
  await git(place, [...update, "--add", "--replace", "--remove", "--stdin"], files.join("\0"));
  return git(place, ["write-tree"]);
}

/** Whether all of a tree is there: what is borrowed from the user's repository may go away. */
export async function isWhole(place: GitPlace, tree: string): Promise<boolean> {
  return (await askGit(place, ["rev-list", "--objects", "--quiet", tree])).code === 0;
}
