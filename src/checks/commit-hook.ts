import { existsSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createError } from "../lib/error.ts";
import { isInFolder, realOf } from "../lib/find-project.ts";
import { readText } from "../lib/read-source.ts";
import { shellWord } from "../lib/quoting.ts";
import { askGit } from "../process/git.ts";

/** By its first lines a hook is known as ours. */
const HEAD =
  "#!/bin/sh\n# Runs the Definition of Done before a commit. opencode-gaia uninstall takes this file away.\n";

export interface CommitHook {
  readonly path: string;
  readonly isInstalled: boolean;
  /** The project below the top of the repository; "" where it is the same. */
  readonly project: string;
}

/** Where the hook would go, or why it goes nowhere and what to do instead. */
export type FoundHook =
  | { readonly kind: "found"; readonly hook: CommitHook }
  | { readonly kind: "none"; readonly why: string };

/** Finds the place of the hook as git does, linked worktrees and submodules included. A hook of somebody else's stays. */
export async function findCommitHook(directory: string): Promise<FoundHook> {
  const from = realOf(directory);
  const asked = ["--show-toplevel", "--git-common-dir", "--git-path", "hooks"];
  const answer = await askGit({ folder: directory, namesHooks: true }, ["rev-parse", ...asked]);
  const lines = answer.text.split("\n").filter(Boolean);
  const [top, common, folder] = lines.map((line) => realOf(resolve(from, line)));
  if (!answer.ok || top === undefined || common === undefined || folder === undefined)
    return { kind: "none", why: "There is no git repository here." };
  const path = join(folder, "pre-commit");
  const isInstalled = (await readText(path)).startsWith(HEAD);
  if (!isInstalled && (existsSync(path) || !isInFolder(folder, common)))
    return {
      kind: "none",
      why: `Hooks of this repository are in ${folder}: add "npx opencode-gaia check" there.`,
    };
  return { kind: "found", hook: { path, isInstalled, project: relative(top, from) } };
}

/** @throws GaiaError when it cannot be written */
export async function installCommitHook({ path, project }: CommitHook): Promise<void> {
  await attempt(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, renderHook(project), { mode: 0o755 });
  });
}

/** Takes the hook away where it is ours. @throws GaiaError when it cannot be done */
export async function removeCommitHook({ path, isInstalled }: CommitHook): Promise<void> {
  if (isInstalled) await attempt(path, async () => rm(path));
}

/** Works in the project, in a shell that knows nothing of the commit under way, and fails where nothing can be run. */
function renderHook(project: string): string {
  const built = fileURLToPath(new URL("./cli.js", import.meta.url));
  const own = existsSync(built)
    ? [`[ ! -f ${shellWord(built)} ] || exec node ${shellWord(built)} check`]
    : [];
  return [
    `${HEAD}cd "$(git rev-parse --show-toplevel)"/${shellWord(project)} 2>/dev/null || exit 0`,
    "unset $(git rev-parse --local-env-vars)",
    ...own,
    "exec npx --no-install opencode-gaia check </dev/null",
    "",
  ].join("\n");
}

async function attempt(path: string, step: () => Promise<void>): Promise<void> {
  await step().catch((cause: unknown) => {
    throw createError("commit-hook", `${path} could not be written.`, { cause });
  });
}
