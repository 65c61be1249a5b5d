import type { Dirent } from "node:fs";
import { access, constants, copyFile, cp, lstat, mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describeError } from "../lib/error.ts";
import { succeeds } from "../lib/async.ts";
import { readText } from "../lib/read-source.ts";
import { shellWord } from "../lib/quoting.ts";
import { findHookFolder, hostGit } from "../process/git.ts";
import { runProgram } from "../process/bounded-process.ts";
import { commonFolder } from "./refs.ts";
import { type CommitRepository, firstLine, refused } from "./users-git.ts";

/** What a contained command finds in place of what is there. */
export interface View {
  readonly mounts: readonly { readonly from: string; readonly to: string; readonly isWritable: boolean }[];
  readonly env: Readonly<Record<string, string>>;
  /** More variables, where nothing can be shown in another's place (macOS). */
  readonly withoutMounts: Readonly<Record<string, string>>;
}

/** What contains the hooks of a repository: agents may have written what they start. */
export interface HookSandbox {
  /** A command as a program with its arguments, contained; null where it runs as it is. @throws where it must not run */
  program(command: string, folder: string, view: View): Promise<readonly [string, ...string[]] | null>;
  /** The wall that a contained command met, and what the user may do about it; empty for none. */
  explain(output: string): Promise<string>;
}

/** How hooks ended: the message as they left it, or what they did instead. */
export type HooksEnd =
  | { readonly kind: "passed"; readonly message: string }
  | { readonly kind: "other-tree"; readonly paths: readonly string[] }
  | { readonly kind: "hook"; readonly name: string; readonly said: string };

/** Hooks may run all of a project's checks, in milliseconds. */
const LIMIT_MS = 600_000;
const MAX_NAMED = 20;
const MAX_SAID = 200_000;
const MAX_MESSAGE_BYTES = 1_000_000;
/** Before a commit, in git's order, with what each is given. */
const BEFORE = [
  ["pre-commit", []],
  ["prepare-commit-msg", ["{message}", "message"]],
  ["commit-msg", ["{message}"]],
] as const;
const COMPARE = ["diff-index", "--cached", "--name-only", "--no-renames", "-z"];

/** Runs what git would before a commit of this index. @param folder of the commit's own, where they may write @throws GaiaError */
export async function runHooksBefore(
  repository: CommitRepository,
  sandbox: HookSandbox,
  { folder, index, tree, message }: { folder: string; index: string; tree: string; message: string },
): Promise<HooksEnd> {
  const { place } = repository;
  const found = await findHooks(repository);
  if (!BEFORE.some(([name]) => found.has(name))) return { kind: "passed", message };
  const copy = await copyForHooks(repository, join(folder, "before"), index, message);
  const run = runIn(repository, sandbox, copy);
  for (const [name, args] of BEFORE) {
    const start = found.get(name);
    if (start === undefined) continue;
    const { ok, text, words: also, wasContained } = await run([...start, ...args]);
    if (place.signal?.aborted === true) throw refused("The user stopped it.");
    const said = [text.trim(), also].filter(Boolean).join("\n").slice(-MAX_SAID);
    // Where the hook itself lies says nothing of what it met.
    const words = said.replaceAll(start[0] ?? "", name);
    const wall = ok || !wasContained ? "" : await sandbox.explain(words).catch(() => "");
    if (!ok) return { kind: "hook", name, said: [said, wall].filter(Boolean).join("\n") };
  }
  const compare = hostGit([...COMPARE, tree, "--"], { isAgreed: true, namesHooks: false });
  const { ok, text, words } = await run(compare.command);
  if (!ok) throw refused(`git cannot read what hooks staged: ${firstLine(words)}`);
  const paths = text.split("\0").filter(Boolean).slice(0, MAX_NAMED);
  if (paths.length > 0) return { kind: "other-tree", paths };
  // A hook may have put a link there.
  const isFile = (await lstat(copy.message).catch(() => null))?.isFile() === true;
  const written = isFile ? await readText(copy.message, MAX_MESSAGE_BYTES) : "";
  if (written === "") throw refused("A hook took the message away.");
  return { kind: "passed", message: written };
}

/** Runs what git would after a commit. Never rejects: the commit stands. */
export async function runHooksAfter(
  repository: CommitRepository,
  sandbox: HookSandbox,
  { folder, index }: { folder: string; index: string },
): Promise<void> {
  const start = (await findHooks(repository)).get("post-commit");
  if (start === undefined) return;
  try {
    const copy = await copyForHooks(repository, join(folder, "after"), index, "");
    await runIn(repository, sandbox, copy)(start);
  } catch {
    // Git asks nobody either how it ended.
  }
}

async function findHooks({ top }: CommitRepository): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = (await findHookFolder(top)) ?? top;
  const found = new Map<string, readonly string[]>();
  for (const name of [...BEFORE.map(([each]) => each), "post-commit"]) {
    const path = join(folder, name);
    const isProgram = await succeeds(access(path, constants.X_OK));
    // Windows starts no script by its first line; git does.
    const byGit = hostGit(["hook", "run", name, "--"], { isAgreed: true }).command;
    if (isProgram) found.set(name, process.platform === "win32" ? byGit : [path]);
  }
  return found;
}

function runIn({ place, top }: CommitRepository, sandbox: HookSandbox, copy: HookRepository) {
  const { view, message, index } = copy;
  /** @throws GaiaError where it must not run */
  return async (words: readonly string[]) => {
    const line = words.map((word) => (word === "{message}" ? `"$${MESSAGE_VARIABLE}"` : shellWord(word)));
    const contained = await sandbox.program(line.join(" "), top, view).catch((error: unknown) => {
      throw refused(`Hooks of the repository were not run: ${describeError(error)}`);
    });
    const plain = words.map((word) => (word === "{message}" ? message : word));
    const own = { GIT_INDEX_FILE: index, [MESSAGE_VARIABLE]: message };
    const { env } = hostGit([], {
      isAgreed: true,
      env: { GIT_EDITOR: ":", ...(contained === null ? own : {}) },
    });
    const [program = "", ...args] = contained ?? plain;
    const limits = { timeoutMs: LIMIT_MS, signal: place.signal, startsProjects: true };
    const ran = await runProgram({ command: [program, ...args], env }, place.directory, limits);
    return { ...ran, wasContained: contained !== null };
  };
}

/** Copied whole, for hooks that write there, as those that stash what is not staged. */
const COPIED = new Set(["refs", "reftable", "info"]);
const FRESH = new Set(["objects", "logs"]);
/** What makes a linked working tree's folder lean on the shared one, and what belongs to a commit that is under way. */
const LEFT_OUT = /^(?:commondir|gitdir|index|.*\.lock|gaia-commit-.*)$/u;
/** Names the message to a hook of the host's commit. */
export const MESSAGE_VARIABLE = "GAIA_COMMIT_MESSAGE";

/** What hooks have in place of the repository: whatever they do to it reaches nobody else. */
type HookRepository = Awaited<ReturnType<typeof copyForHooks>>;

/**
 * Makes it: settings and refs are copies, its objects go beside the repository's, and what else is there is read.
 * @param folder that no command has written yet @param index that is copied @throws GaiaError
 */
async function copyForHooks(
  { top, gitFolder }: CommitRepository,
  folder: string,
  index: string,
  message: string,
) {
  const common = commonFolder(gitFolder);
  const isLinked = common !== gitFolder;
  const mounts: View["mounts"][number][] = [{ from: folder, to: gitFolder, isWritable: true }];
  const real = join("objects", "real");
  const take = async (from: string, entry: Dirent): Promise<void> => {
    const { name } = entry;
    const [source, target] = [join(from, name), join(folder, name)];
    if (LEFT_OUT.test(name)) return;
    if (entry.isFile()) await copyFile(source, target);
    else if (COPIED.has(name)) await cp(source, target, { recursive: true, force: true });
    else if (entry.isDirectory()) {
      await mkdir(target, { recursive: true });
      if (!FRESH.has(name)) mounts.push({ from: source, to: join(gitFolder, name), isWritable: false });
    }
  };
  const file = join(folder, "COMMIT_EDITMSG");
  try {
    await mkdir(join(folder, real), { recursive: true });
    for (const from of isLinked ? [common, gitFolder] : [common])
      for (const entry of await readdir(from, { withFileTypes: true })) await take(from, entry);
    mounts.push({ from: join(common, "objects"), to: join(gitFolder, real), isWritable: false });
    await mkdir(join(folder, "objects", "info"), { recursive: true });
    // Where nothing can be shown in another's place, the repository's own path leads there.
    await writeFile(join(folder, "objects", "info", "alternates"), `real\n${join(common, "objects")}\n`);
    await cp(index, join(folder, "index"), { preserveTimestamps: true });
    await writeFile(file, `${message}\n`);
  } catch (error) {
    throw refused(`Hooks of the repository were not run: ${describeError(error)}`);
  }
  /** @param at where hooks see the copy */
  const named = (at: string) => ({
    GIT_INDEX_FILE: join(at, "index"),
    [MESSAGE_VARIABLE]: join(at, "COMMIT_EDITMSG"),
  });
  const view: View = {
    mounts,
    // As git has it: a linked working tree names its repository to hooks.
    env: { ...named(gitFolder), ...(isLinked ? { GIT_DIR: gitFolder, GIT_WORK_TREE: top } : {}) },
    withoutMounts: { ...named(folder), GIT_DIR: folder, GIT_WORK_TREE: top },
  };
  return { message: file, index: join(folder, "index"), view };
}
