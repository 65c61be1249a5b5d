import { constants, existsSync } from "node:fs";
import { cp } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { askGit, rowsOf, USERS } from "./run-git.ts";

/** What of the ignored files comes along into a worktree. */
export interface Brought {
  /** Globs, from the top of the repository. */
  readonly globs: readonly string[];
  /** What never does, by its path from there. */
  isPrivate(path: string): boolean;
}

/** What others than the project keep. */
const OTHERS = /(?:^|\/)\.(?:git|gaia)(?:\/|$)/u;

/** Copies ignored files of the user's tree into a worktree; what is there already stays. */
export async function bring(top: string, folder: string, { globs, isPrivate }: Brought): Promise<void> {
  for (const path of await ignoredFiles(top, globs)) {
    const [from, to] = [join(top, path), join(folder, path)];
    const filter = (source: string): boolean => {
      const inside = relative(top, source).replaceAll(sep, "/");
      return !OTHERS.test(inside) && !isPrivate(inside);
    };
    const mode = constants.COPYFILE_FICLONE;
    if (!existsSync(to)) await cp(from, to, { recursive: true, verbatimSymlinks: true, mode, filter });
  }
}

/** Files, and folders of which all is ignored where a path names one. */
async function ignoredFiles(top: string, globs: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    globs.map(async (glob) => {
      const [whole, below] = /[*?[]/u.test(glob) ? [[], [`:(glob)${glob}/**`]] : [["--directory"], []];
      const args = ["ls-files", "-z", "--others", "--ignored", "--exclude-standard", ...whole];
      const { text } = await askGit({ folder: top, env: USERS }, [...args, "--", `:(glob)${glob}`, ...below]);
      return rowsOf(text);
    }),
  );
  return [...new Set(found.flat())].map((path) => path.replace(/\/$/u, ""));
}
