import { existsSync } from "node:fs";
import { cp, lstat, mkdtemp, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { VcsType } from "../contracts/contract.ts";
import { describeError } from "../lib/error.ts";
import type { ProgramEnd } from "../process/bounded-process.ts";
import { askJj, PARENT, parseStatus, RECORD, STATUS } from "../snapshot/uncommitted.ts";
import { COMPARE, type FileVersion, indexRows, NO_FILE, parseRaw } from "../snapshot/version.ts";
import { type HookSandbox, type HooksEnd, runHooksAfter, runHooksBefore } from "./hooks.ts";
import { containFilters, findSigning } from "./programs.ts";
import {
  type CommitRepository,
  nulEnded,
  firstLine,
  mustGit,
  refused,
  usersGit,
  type UsersGitPlace,
} from "./users-git.ts";
export { type HookSandbox, MESSAGE_VARIABLE, type View } from "./hooks.ts";

export type CommitEnd =
  | { readonly kind: "made"; readonly id: string }
  /** Hooks staged another tree or refused, and nothing was committed. */
  | Exclude<HooksEnd, { kind: "passed" }>;

/** A commit that is prepared. */
export type Draft = Awaited<ReturnType<typeof openGitDraft>>;

/** @throws GaiaError where no commit can be made, as all that it returns does */
export async function openDraft(
  kind: Exclude<VcsType, "none">,
  place: UsersGitPlace,
  hooks: HookSandbox,
): Promise<Draft> {
  return kind === "jj" ? openJujutsuDraft(place) : openGitDraft(place, hooks);
}

/** With an index of its own, so that no bit in the user's hides a change. */
async function openGitDraft(at: UsersGitPlace, hooks: HookSandbox) {
  const found = await findRepository(at);
  const { gitFolder, prefix, head, ref } = found;
  const unfinished = await findUnfinished(found);
  // No sandboxed command can write there.
  const folder = await mkdtemp(join(gitFolder, "gaia-commit-")).catch((error: unknown) => {
    throw refused(`The repository cannot be written: ${describeError(error)}`);
  });
  const dispose = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  let tree: string | null = null;
  try {
    const filters = await containFilters(found, hooks, folder).catch((error: unknown) => {
      throw refused(`Filters of the repository were not run: ${describeError(error)}`);
    });
    const repository = { ...found, place: { ...found.place, filters } };
    const index = join(folder, "index");
    const run = runOnIndex(repository, hooks, folder, index);
    const update = async (verb: string, paths: readonly string[]): Promise<void> => {
      if (paths.length > 0) await run(["update-index", ...verb.split(" "), "-z", "--stdin"], nulEnded(paths));
    };
    // What the user's index knows of files that are as they were spares git reading all of them.
    // With its time: a file that was changed in the second in which the index was written is looked at.
    await cp(join(gitFolder, "index"), index, { preserveTimestamps: true }).catch(() => undefined);
    await run(["read-tree", ...(head === null ? ["--empty"] : ["--reset", head])]);
    for (const [verb, paths] of await hiddenFiles(repository, run)) await update(verb, paths);
    const { rows } = parseStatus(await run(STATUS, "", prefix));
    return {
      /** Paths are relative to the project, with `/`. */
      changed: rows.map(({ path }) => {
        // A repository of its own that is no submodule: a commit would hold none of its files.
        const isNested = path.endsWith("/");
        return { path: path.slice(prefix.length, isNested ? -1 : undefined), isNested };
      }),
      /** What the user has begun and not ended: a rebase, a merge, a conflict; null for nothing. */
      unfinished,
      /** What moves, and from where; for a person. */
      branch: ref.replace(/^refs\/heads\//u, ""),
      from: head,
      /** Takes these files as they are on disk now. */
      async stage(paths: readonly string[]): Promise<void> {
        const wanted = new Set(paths.map((path) => `${prefix}${path}`));
        const named = (gone: boolean): string[] =>
          rows.flatMap(({ path, isGone }) => (isGone === gone && wanted.has(path) ? [path] : []));
        await update("--force-remove", named(true));
        await update("--add --replace", named(false));
        tree = (await run(["write-tree"])).trim();
      },
      /**
       * Commits what was taken with the repository's own hooks and the user's identity and signing: exactly that tree, whatever
       * hooks do. The user's index agrees with it in these paths and is untouched in all others.
       * @param made told as soon as the ref has moved, before hooks that follow
       */
      async make(message: string, made: (id: string) => Promise<void>): Promise<CommitEnd> {
        if (tree === null) throw new Error("Nothing was staged.");
        return makeCommit(repository, { folder, index, tree, message }, made, hooks);
      },
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Asks git of the commit's own index. @param below the top @throws GaiaError */
function runOnIndex({ place, top }: CommitRepository, sandbox: HookSandbox, folder: string, index: string) {
  return async (args: readonly string[], input = "", below = ""): Promise<string> => {
    const at = { ...place, directory: resolve(top, below) };
    const options = { env: { GIT_INDEX_FILE: index }, input };
    // No cache says what has changed: git looks.
    const ran = await usersGit(at, ["-c", "core.untrackedCache=false", ...args], options);
    if (ran.ok) return ran.text;
    // Where the host keeps a filter says nothing of what that met.
    const lines = ran.words.split("\n").filter((line) => !line.includes(join(folder, "filter-")));
    const said = lines.join("\n");
    const wall = place.filters?.length ? await sandbox.explain(said).catch(() => "") : "";
    throw refused(`git refuses: ${[firstLine(said), wall].filter(Boolean).join(" ")}`);
  };
}

/** Files that are there and from which git looks away, by what changes that; what a sparse checkout leaves out stays out. */
async function hiddenFiles({ top, place }: CommitRepository, run: ReturnType<typeof runOnIndex>) {
  const listed = await run(["ls-files", "-v", "-z"]);
  const rows = listed.split("\0").filter((row) => row !== "" && !row.startsWith("H "));
  const isSparse =
    (await usersGit(place, ["config", "--bool", "core.sparseCheckout"])).text.trim() === "true";
  const skipped: string[] = [];
  const assumed: string[] = [];
  for (const row of rows) {
    const [tag, path] = [row.charAt(0), row.slice(2)];
    if (tag === tag.toLowerCase()) assumed.push(path);
    if (tag.toUpperCase() !== "S") continue;
    const isThere = (await lstat(join(top, path)).catch(() => null)) !== null;
    if (isThere || !isSparse) skipped.push(path);
  }
  return [
    ["--no-assume-unchanged", assumed],
    ["--no-skip-worktree", skipped],
  ] as const;
}

/** @throws GaiaError where git does not answer, as where it takes the repository for someone else's */
async function findRepository(place: UsersGitPlace): Promise<CommitRepository> {
  const asked = ["rev-parse", "--show-toplevel", "--absolute-git-dir", "--show-prefix"];
  const [top = "", gitFolder = "", prefix = ""] = (await mustGit(place, asked)).split("\n");
  const at = { ...place, directory: top };
  const head = await headOf(at);
  if (head === null && (await usersGit(at, ["rev-parse", "--verify", "--quiet", "HEAD"])).ok)
    throw refused("HEAD names a commit that is not there: the repository is damaged.");
  return { place: at, top, gitFolder, prefix, head, ref: await refOf(at) };
}

async function headOf(place: UsersGitPlace): Promise<string | null> {
  const { ok, text } = await usersGit(place, ["rev-parse", "--verify", "--quiet", "HEAD^{commit}"]);
  return ok ? text.trim() : null;
}

async function refOf(place: UsersGitPlace): Promise<string> {
  const { ok, text } = await usersGit(place, ["symbolic-ref", "--quiet", "HEAD"]);
  return ok ? text.trim() : "HEAD";
}

/** What waits for the user, by the file that git keeps as long as it does. */
const UNFINISHED: readonly (readonly [file: string, what: string])[] = [
  ["rebase-apply/applying", "git am"],
  ["rebase-merge", "rebase"],
  ["rebase-apply", "rebase"],
  ["MERGE_HEAD", "merge"],
  ["CHERRY_PICK_HEAD", "cherry-pick"],
  ["REVERT_HEAD", "revert"],
  ["sequencer", "cherry-pick or revert"],
  ["BISECT_LOG", "bisect"],
];

/** What the user has begun and not ended, which the next commit would end or become a part of; null for nothing. */
async function findUnfinished({ gitFolder, place }: CommitRepository): Promise<string | null> {
  const begun = UNFINISHED.find(([file]) => existsSync(join(gitFolder, file)));
  if (begun !== undefined) return begun[1];
  const conflicts = await usersGit(place, ["ls-files", "--unmerged", "-z"]);
  return conflicts.text === "" ? null : "conflict";
}

interface Prepared {
  /** The commit's own, in which no command of a session writes. */
  readonly folder: string;
  readonly index: string;
  readonly tree: string;
  readonly message: string;
}

async function makeCommit(
  repository: CommitRepository,
  prepared: Prepared,
  made: (id: string) => Promise<void>,
  hooks: HookSandbox,
): Promise<CommitEnd> {
  const { place, gitFolder, head, ref } = repository;
  const lock = join(gitFolder, "index.lock");
  if (existsSync(lock)) throw refused(`git is at work here, or was stopped in it: ${lock} is there.`);
  const who = await usersGit(place, ["var", "GIT_COMMITTER_IDENT"]);
  if (!who.ok) throw refused(`git does not know who commits: ${firstLine(who.words)}`);
  const isSigned = await findSigning(repository);
  const end = await runHooksBefore(repository, hooks, prepared);
  if (end.kind !== "passed") return end;
  if ((await refOf(place)) !== ref || (await headOf(place)) !== head)
    throw refused("Another commit or branch was checked out meanwhile.");
  const { tree } = prepared;
  const commit = await writeCommit(repository, { ...prepared, message: end.message }, isSigned);
  const takeBack = await stageForUser(repository, tree);
  // A commit that was made stays whole, also where the user stops it now.
  const at = { ...place, signal: undefined };
  const subject = end.message.trimStart().split("\n")[0] ?? "";
  const reason = `commit${head === null ? " (initial)" : ""}: ${subject}`;
  const move = ["update-ref", "--no-deref", "-m", reason, ref, commit, head ?? ""];
  const moved = await usersGit(at, move);
  const id = await headOf(at);
  if (id === commit) {
    await made(id);
    await runHooksAfter(repository, hooks, prepared);
    return { kind: "made", id };
  }
  await takeBack();
  if (id !== null && id !== head)
    throw refused("HEAD moved elsewhere while the commit was made; nothing was taken back.");
  throw refused(`git refuses: ${firstLine(moved.words)}`);
}

/** @returns the id of a commit that nothing names yet @throws GaiaError */
async function writeCommit(
  { place, gitFolder, head }: CommitRepository,
  { folder, tree, message }: Prepared,
  isSigned: boolean,
): Promise<string> {
  const was = head === null ? "" : (await usersGit(place, ["rev-parse", `${head}^{tree}`])).text.trim();
  if (was === tree) throw refused("Nothing differs from the last commit.");
  const { text: input } = await usersGit(place, ["stripspace"], { input: message });
  if (input.trim() === "") throw refused("The message is empty.");
  // What signs is started in a folder that nobody writes: a relative path leads to nothing of the project's.
  const at = { ...place, directory: folder };
  const how = [...(head === null ? [] : ["-p", head]), ...(isSigned ? ["-S"] : []), "-F", "-"];
  const written = await usersGit(at, ["commit-tree", tree, ...how], { env: { GIT_DIR: gitFolder }, input });
  if (place.signal?.aborted === true) throw refused("The user stopped it.");
  if (!written.ok) throw refused(`git refuses: ${firstLine(written.words)}`);
  return written.text.trim();
}

interface Entry extends FileVersion {
  readonly path: string;
}

const HELD = /^(\w) (\d+) ([0-9a-f]+) 0\t(.+)$/su;
const TRIES = 20;
const WAIT_MS = 100;

/**
 * Puts the files of a tree that differ from HEAD into the user's index, before the ref moves: whoever is killed in between leaves
 * files that are staged, and never an index that would undo the commit. Other entries are not touched.
 * @returns what takes that back @throws GaiaError
 */
async function stageForUser({ place, head }: CommitRepository, tree: string): Promise<() => Promise<void>> {
  const nothing = ["hash-object", "-t", "tree", "--stdin"];
  const from = head ?? (await usersGit(place, nothing, { input: "" })).text.trim();
  const rows = parseRaw(await mustGit(place, [...COMPARE, from, tree]));
  const wanted = rows.map(({ path, after }): Entry => ({ path, ...after }));
  const names = new Set(wanted.map(({ path }) => path));
  const held = new Map<string, Entry & { readonly tag: string }>();
  for (const row of (await usersGit(place, ["ls-files", "--stage", "-v", "-z"])).text.split("\0")) {
    const [, tag = "", mode = "", id = "", path = ""] = HELD.exec(row) ?? [];
    if (names.has(path)) held.set(path, { tag, mode, id, path });
  }
  const flagged = (test: (tag: string) => boolean): string[] =>
    [...held.values()].flatMap(({ tag, path }) => (test(tag) ? [path] : []));
  const bits = [
    ["--assume-unchanged", flagged((tag) => tag === tag.toLowerCase())],
    ["--skip-worktree", flagged((tag) => tag.toUpperCase() === "S")],
  ] as const;
  // What follows a moved ref, or takes back, is done to its end, also where the user stops it.
  const at = { ...place, signal: undefined };

  const write = async (entries: readonly Entry[]): Promise<string> => {
    const input = indexRows(entries, tree.length);
    for (let left = TRIES; ; left -= 1) {
      const update = ["update-index", "--replace", "-z", "--index-info"];
      const done = await usersGit(at, update, { input });
      if (done.ok) break;
      if (left === 0) return firstLine(done.words);
      await pause(WAIT_MS);
    }
    const there = new Set(entries.flatMap(({ path, id }) => (id === "" ? [] : [path])));
    for (const [bit, paths] of bits) {
      const kept = paths.filter((path) => there.has(path));
      if (kept.length > 0)
        await usersGit(at, ["update-index", bit, "-z", "--stdin"], { input: nulEnded(kept) });
    }
    await usersGit(at, ["update-index", "-q", "--refresh"]);
    return "";
  };
  const failed = await write(wanted);
  if (failed !== "") throw refused(`git refuses: ${failed}`);
  const before = wanted.map(({ path }): Entry => held.get(path) ?? { path, ...NO_FILE });
  return async () => void (await write(before));
}

/** Who signs may be asked for a password. */
const LIMIT_MS = 60_000;
const MAX_BYTES = 8_000_000;

/** Jujutsu has no hooks and no index: it commits files by name and leaves the others in the working copy. */
async function openJujutsuDraft({ directory, signal }: UsersGitPlace): Promise<Draft> {
  const jj = async (args: readonly string[]): Promise<ProgramEnd> =>
    askJj(directory, args, { timeoutMs: LIMIT_MS, signal, maxBytes: MAX_BYTES });
  const parent = async (): Promise<string | null> => {
    const { ok, text } = await jj(PARENT);
    return ok ? text.trim() : null;
  };
  const diff = await jj(["diff", "--name-only"]);
  if (!diff.ok) throw refused(`jj refuses: ${firstLine(diff.words)}`);
  const from = await parent();
  let taken: readonly string[] = [];
  // Relative to the project; what lies outside of it is none of its own.
  const paths = diff.text.split("\n").filter((path) => path !== "" && !path.startsWith("../"));
  const changed = paths.filter((path) => !`/${path}`.includes(`/${RECORD}/`));
  return {
    changed: changed.map((path) => ({ path, isNested: false })),
    unfinished: null,
    branch: "@-",
    from,
    async stage(paths) {
      taken = paths;
    },
    async make(message, made) {
      const files = taken.map((path) => `cwd-file:${JSON.stringify(path)}`);
      const { ok, words } = await jj(["commit", `--message=${message}`, "--", ...files]);
      const id = await parent();
      if (!ok || id === null || id === from) throw refused(`jj refuses: ${firstLine(words)}`);
      await made(id);
      return { kind: "made", id };
    },
    dispose: async () => undefined,
  };
}
