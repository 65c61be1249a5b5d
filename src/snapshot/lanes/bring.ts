import { constants, existsSync } from "node:fs";
import { cp, lstat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { askLaneGit, askUsers, modulesOf, nulRows } from "./run-git.ts";
import type { GitPlace } from "../../process/git.ts";

/** What of the ignored files comes along into a worktree. */
export interface Brought {
  /** Globs, from `below`; `../` leads up to the top of the repository and no further. */
  readonly globs: readonly string[];
  /** The project's folder within the repository; empty where it is the whole of it. */
  readonly below: string;
  /** What never does, by its path from there. */
  isPrivate(path: string): boolean;
}

const OTHERS = /(?:^|\/)\.(?:git|gaia)(?:\/|$)/u;

/**
 * Copies ignored files of the user's tree into a worktree; what is there already stays.
 * @param env by which git tells what is ignored where the user has no repository
 */
export async function bring(
  top: string,
  folder: string,
  { globs, below, isPrivate }: Brought,
  env: GitPlace["env"] = {},
): Promise<void> {
  for (const path of await ignoredFiles({ folder: join(top, below), settings: "user", env }, globs)) {
    const [from, to] = [join(top, path), join(folder, path)];
    const filter = async (source: string): Promise<boolean> => {
      const inside = relative(top, source).replaceAll(sep, "/");
      if (OTHERS.test(inside) || isPrivate(inside)) return false;
      const entry = await lstat(source);
      // A pipe or a socket belongs to a program that runs there, and cannot be copied.
      return entry.isFile() || entry.isDirectory() || entry.isSymbolicLink();
    };
    const mode = constants.COPYFILE_FICLONE;
    if (!existsSync(to)) await cp(from, to, { recursive: true, verbatimSymlinks: true, mode, filter });
  }
}

/** Files, and folders of which all is ignored where a path names one; from the top of the repository. */
async function ignoredFiles(from: GitPlace, globs: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    globs.map(async (glob) => {
      const [whole, inside] = /[*?[]/u.test(glob) ? [[], [`:(glob)${glob}/**`]] : [["--directory"], []];
      const args = ["ls-files", "-z", "--full-name", "--others", "--ignored", "--exclude-standard", ...whole];
      const { text } = await askLaneGit(from, [...args, "--", `:(glob)${glob}`, ...inside]);
      return nulRows(text);
    }),
  );
  return [...new Set(found.flat())].map((path) => path.replace(/\/$/u, ""));
}

/** Hooks that lie in ignored files, as husky's do, come along: git leaves out what is not there without a word. */
export async function bringHooks(top: string, folder: string): Promise<void> {
  const { text } = await askUsers(top, "config", "--type=path", "--get-all", "core.hooksPath");
  // The last is what this very command was given.
  const path = text.split("\n").at(-2) ?? "";
  if (path !== "" && !isAbsolute(path))
    await bring(top, folder, { globs: [path], below: "", isPrivate: () => false });
}

/**
 * Checks out the submodules of a worktree that the user has checked out, each at the commit that its branch names: from their own
 * clones, without network. One of which they have no such commit stays empty.
 */
export async function bringSubmodules(top: string, folder: string): Promise<void> {
  for (const { path, commit } of await modulesOf({ folder })) {
    const [from, to] = [join(top, path), join(folder, path)];
    if (!existsSync(join(from, ".git"))) continue;
    const isKnown = await askUsers(from, "cat-file", "-e", `${commit}^{commit}`);
    if (!existsSync(join(to, ".git")) && isKnown.code === 0) await bringOne(folder, path, from);
    if (existsSync(join(to, ".git"))) await bringSubmodules(from, to);
  }
}

async function bringOne(folder: string, path: string, from: string): Promise<void> {
  const name = await nameOf(folder, path);
  const { code, text: repository } = await askUsers(from, "rev-parse", "--absolute-git-dir");
  if (name === null || code !== 0) return;
  const local = ["-c", "protocol.file.allow=always", "-c", `submodule.${name}.url=${repository}`];
  const at = { settings: "user", env: { GIT_ALLOW_PROTOCOL: "file" } } as const;
  // What a setting says to run in place of the checkout is not run.
  const update = ["submodule", "--quiet", "update", "--checkout", "--", path];
  await askLaneGit({ ...at, folder }, [...local, ...update]);
  const to = join(folder, path);
  if (!existsSync(join(to, ".git"))) return;
  // As in theirs: where it comes from, and what is known of that. What was given is nobody's work.
  const known = ["+refs/remotes/*:refs/remotes/*", "+refs/heads/*:refs/remotes/user/*"];
  const fetch = ["fetch", "--quiet", "--no-tags", "--no-recurse-submodules"];
  await askLaneGit({ ...at, folder: to }, [...local, ...fetch, repository, ...known]);
  await askUsers(to, "update-ref", "refs/remotes/user/HEAD", "HEAD");
  const { text: origin } = await askUsers(from, "remote", "get-url", "origin");
  await askUsers(to, "remote", ...(origin === "" ? ["remove", "origin"] : ["set-url", "origin", origin]));
}

/** What a submodule is called, which may be other than its path; null for none. */
async function nameOf(folder: string, path: string): Promise<string | null> {
  const asked = ["config", "-z", "--file", ".gitmodules", "--get-regexp", "^submodule\\..*\\.path$"];
  const { text } = await askUsers(folder, ...asked);
  const row = nulRows(text).find((each) => each.slice(each.indexOf("\n") + 1) === path);
  return row === undefined ? null : row.slice("submodule.".length, row.indexOf("\n") - ".path".length);
}
