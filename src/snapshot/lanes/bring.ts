import { constants, existsSync } from "node:fs";
import { cp, lstat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import { askLaneGit, askUsers } from "./run-git.ts";
import { nulRows } from "../version.ts";
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
