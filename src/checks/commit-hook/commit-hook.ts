import { existsSync, realpathSync } from "node:fs";
import { access, chmod, constants, lstat, mkdir, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { createError } from "../../lib/error.ts";
import { askGit } from "../../process/git.ts";
import {
  BEFORE,
  hasBlock,
  isOwnHook,
  isShellHook,
  renderBlock,
  renderHook,
  withBlock,
  withoutBlock,
} from "./block.ts";
import { type HookManager, managerOf } from "./managers.ts";
import { readText } from "../../lib/read-source.ts";

const NAME = "pre-commit";
/** What pre-commit (pre-commit.com) runs before its own hooks, and does not write anew. */
const KEPT_BY_PRE_COMMIT = "pre-commit.legacy";
/** In git's own folder: that the hook was installed, so that its loss is noticed. */
const MARK = "opencode-gaia-hook";

/** The place of a project's pre-commit hook. */
export interface CommitHook {
  readonly path: string;
  readonly isInstalled: boolean;
  /** The file lies in the work tree, so that others get it too. */
  readonly isShared: boolean;
  /** Git runs it only where it may be executed; a manager of hooks hands it to a shell. */
  readonly isExecuted: boolean;
  /** The project below the top of the repository. */
  readonly project: string;
  /** The manager of hooks that writes the file anew, or would; null where none is known. */
  readonly manager: HookManager | null;
  /** The file that says that the hook was installed. */
  readonly mark: string;
}

/** Where a hook would go, or why none can; `lost` is the mark of one that was installed and that git does not run any more. */
export type FoundHook =
  | { readonly kind: "found"; readonly hook: CommitHook; readonly lost: string | null }
  | { readonly kind: "none"; readonly why: string; readonly lost: string | null };

/** Finds the hook as git does: `core.hooksPath`, linked worktrees and submodules included. Changes nothing. */
export async function findCommitHook(directory: string): Promise<FoundHook> {
  const asked = ["--show-toplevel", "--git-common-dir", "--git-path", "hooks"];
  const answer = await askGit({ folder: directory, namesHooks: true }, ["rev-parse", ...asked]);
  const lines = answer.text.replace(/\n$/u, "").split("\n");
  if (!answer.ok || lines.length !== 3)
    return { kind: "none", why: "There is no git repository here.", lost: null };
  const [top, common, hooks] = lines.map((line) => resolve(directory, line)) as [string, string, string];
  const [realTop, realCommon, realHooks] = [top, common, hooks].map(real) as [string, string, string];
  const mark = join(realCommon, MARK);
  const wasInstalled = existsSync(mark);
  const isShared = isBelow(realHooks, realTop) && !isBelow(realHooks, realCommon);
  if (!isShared && !isBelow(realHooks, realCommon)) {
    return {
      kind: "none",
      why: `core.hooksPath leads to ${hooks}, outside of this repository: that folder is yours to change.`,
      lost: wasInstalled ? mark : null,
    };
  }
  // Husky writes that folder anew; what it runs lies above.
  const isHusky = isShared && basename(realHooks) === "_";
  const folder = isHusky ? dirname(realHooks) : realHooks;
  const held = await readText(join(folder, NAME));
  const manager = managerOf(held);
  const path = join(folder, manager?.keeps === true && !hasBlock(held) ? KEPT_BY_PRE_COMMIT : NAME);
  const text = await readText(path);
  const isRun = isHusky || ((await mayRun(path)) && (await mayRun(join(folder, NAME))));
  const isInstalled = hasBlock(text) && isRun;
  const project = relative(realTop, real(directory));
  return {
    kind: "found",
    hook: { path, isInstalled, isShared, isExecuted: !isHusky, project, manager, mark },
    lost: wasInstalled && !isInstalled ? mark : null,
  };
}

async function mayRun(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/** Puts our part into the hook; what is there goes on running, after it. @throws GaiaError when it cannot be written */
export async function installCommitHook(hook: CommitHook): Promise<void> {
  await putIn(hook);
  await attempt(hook.mark, async () => writeFile(hook.mark, ""));
}

async function putIn({ path, isShared, isExecuted, project }: CommitHook): Promise<void> {
  const block = renderBlock({ project, program: isShared ? null : ownProgram() });
  const entry = await lstat(path).catch(() => null);
  const text = entry === null ? null : await readText(path);
  const isRun = entry !== null && (!isExecuted || (await mayRun(path)));
  await attempt(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    if (text !== null && (hasBlock(text) || (entry?.isFile() === true && isRun && isShellHook(text)))) {
      await writeFile(path, withBlock(text, block));
      if (!isRun) await chmod(path, 0o755);
      return;
    }
    if (text !== null) await rename(path, join(dirname(path), BEFORE));
    await writeFile(path, renderHook(block), { mode: 0o755 });
    await chmod(path, 0o755);
  });
}

/** Takes our part out again: the hook is as it was before. @throws GaiaError when it cannot be written */
export async function removeCommitHook({ path, mark }: CommitHook): Promise<void> {
  await attempt(mark, async () => rm(mark, { force: true }));
  const text = await readText(path);
  if (!hasBlock(text)) return;
  const before = join(dirname(path), BEFORE);
  await attempt(path, async () => {
    if (!isOwnHook(text)) await writeFile(path, withoutBlock(text));
    else if (existsSync(before)) await rename(before, path);
    else await rm(path);
  });
}

async function attempt(path: string, step: () => Promise<void>): Promise<void> {
  await step().catch((cause: unknown) => {
    throw createError("commit-hook", `${path} could not be written.`, { cause });
  });
}

/** The command line program of this very installation; null where it was not built. */
function ownProgram(): string | null {
  const path = fileURLToPath(new URL("./cli.js", import.meta.url));
  return existsSync(path) ? path : null;
}

function real(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // There is no such folder yet.
  }
}

function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== ".." && !inside.startsWith("../") && !isAbsolute(inside);
}
