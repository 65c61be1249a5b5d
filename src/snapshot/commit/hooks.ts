import { access, constants, lstat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describeError } from "../../lib/error.ts";
import { readText } from "../../lib/read-source.ts";
import { hostGit } from "../../process/git.ts";
import { shellWord } from "../../lib/shell-word.ts";
import { copyForHooks, type HookRepository, type View } from "./hook-repository.ts";
import { firstLine, problem, type CommitProblem, type CommitRepository } from "./repository.ts";
import { runInPlace, usersGit, type UsersGitAnswer } from "./users-git.ts";

/** What contains the hooks of a repository: agents may have written what they start. */
export interface HookSandbox {
  /** A command as a program with its arguments, contained; null where it runs as it is. @throws where it must not run */
  program(command: string, folder: string, view: View): Promise<readonly [string, ...string[]] | null>;
  /** The wall that a contained command met, and what the user may do about it; empty for none. */
  explain(output: string, folder: string): Promise<string>;
}

/** How hooks ended: the message as they left it, or why nothing is to be committed. */
export type HooksEnd =
  | { readonly kind: "passed"; readonly message: string }
  | { readonly kind: "other-tree"; readonly paths: readonly string[] }
  | { readonly kind: "hook"; readonly name: string; readonly said: string }
  | CommitProblem;

/** Hooks may run all of a project's checks, in milliseconds. */
const LIMIT_MS = 600_000;
const MAX_NAMED = 20;
const MAX_MESSAGE_BYTES = 1_000_000;
/** Before a commit, in git's order, with what each is given. */
const BEFORE = [
  ["pre-commit", []],
  ["prepare-commit-msg", ["{message}", "message"]],
  ["commit-msg", ["{message}"]],
] as const;
const COMPARE = ["diff-index", "--cached", "--name-only", "--no-renames", "-z"];

/** Runs what git would before a commit of this index. @param folder of the commit's own, where they may write */
export async function runHooksBefore(
  repository: CommitRepository,
  sandbox: HookSandbox,
  { folder, index, tree, message }: { folder: string; index: string; tree: string; message: string },
): Promise<HooksEnd> {
  const found = await findHooks(
    repository,
    BEFORE.map(([name]) => name),
  );
  if (found.size === 0) return { kind: "passed", message };
  const { place, top } = repository;
  try {
    const copy = await copyForHooks(repository, join(folder, "before"), index, message);
    const run = runIn(repository, sandbox, copy);
    for (const [name, args] of BEFORE) {
      const start = found.get(name);
      if (start === undefined) continue;
      const { ok, said, wasContained } = await run([...start, ...args]);
      if (place.signal?.aborted === true) return problem("The user stopped it.");
      // Where the hook itself lies says nothing of what it met.
      const words = said.replaceAll(start[0] ?? "", name);
      const wall = ok || !wasContained ? "" : await sandbox.explain(words, top);
      if (!ok) return { kind: "hook", name, said: [said, wall].filter(Boolean).join("\n") };
    }
    const { ok, out, said } = await run(
      hostGit([...COMPARE, tree, "--"], { isAgreed: true, namesHooks: false }).command,
    );
    if (!ok) return problem(`git cannot read what hooks staged: ${firstLine(said)}`);
    const paths = out.split("\0").filter(Boolean).slice(0, MAX_NAMED);
    if (paths.length > 0) return { kind: "other-tree", paths };
    // A hook may have put a link there.
    const isFile = (await lstat(copy.message).catch(() => null))?.isFile() === true;
    const written = isFile ? await readText(copy.message, MAX_MESSAGE_BYTES) : "";
    return written === "" ? problem("A hook took the message away.") : { kind: "passed", message: written };
  } catch (error) {
    return problem(`Hooks of the repository were not run: ${describeError(error)}`);
  }
}

/** Runs what git would after a commit. Never rejects: the commit stands. */
export async function runHooksAfter(
  repository: CommitRepository,
  sandbox: HookSandbox,
  { folder, index }: { folder: string; index: string },
): Promise<void> {
  const start = (await findHooks(repository, ["post-commit"])).get("post-commit");
  if (start === undefined) return;
  try {
    const copy = await copyForHooks(repository, join(folder, "after"), index, "");
    await runIn(repository, sandbox, copy)(start);
  } catch {
    // Git asks nobody either how it ended.
  }
}

/** How each is started that is there. */
async function findHooks(
  { place, top }: CommitRepository,
  names: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const asked = await usersGit(place, ["rev-parse", "--git-path", "hooks"], { namesHooks: true });
  const folder = resolve(top, asked.out.replace(/\n$/u, ""));
  const found = new Map<string, readonly string[]>();
  for (const name of names) {
    const path = join(folder, name);
    const isProgram = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    // Windows starts no script by its first line; git does.
    const start = process.platform === "win32" ? startOnWindows(name) : [path];
    if (isProgram) found.set(name, start);
  }
  return found;
}

const startOnWindows = (name: string): readonly string[] =>
  hostGit(["hook", "run", name, "--"], { isAgreed: true }).command;

type Ran = UsersGitAnswer & { readonly wasContained: boolean };

function runIn({ place, top }: CommitRepository, sandbox: HookSandbox, copy: HookRepository) {
  const { view, message, messageVariable, index } = copy;
  return async (words: readonly string[]): Promise<Ran> => {
    const line = words.map((word) => (word === "{message}" ? `"$${messageVariable}"` : shellWord(word)));
    const contained = await sandbox.program(line.join(" "), top, view);
    const plain = words.map((word) => (word === "{message}" ? message : word));
    const own = { GIT_INDEX_FILE: index, [messageVariable]: message };
    const env = { GIT_EDITOR: ":", ...(contained === null ? own : {}) };
    const ran = await runInPlace(place, contained ?? plain, { env, timeoutMs: LIMIT_MS, saysOnBoth: true });
    return { ...ran, wasContained: contained !== null };
  };
}
