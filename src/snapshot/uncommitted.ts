import { existsSync } from "node:fs";
import { join, posix, relative } from "node:path";
import type { VcsType } from "../contracts/contract.ts";
import { readText } from "../lib/read-source.ts";
import { askGit } from "../process/git.ts";
import { type Limits, type ProgramEnd, runProgram } from "../process/bounded-process.ts";
import type { Snapshots, TreeId } from "./snapshots.ts";
import { MAX_FILE_BYTES } from "./take.ts";
import { type FileVersion, isSame, NO_FILE, OPAQUE, type TreeChange } from "./version.ts";

/** A line of `git status`: a file, as the commit, the index and the folder have it. */
export interface StatusRow {
  /** Relative to the top of the repository. */
  readonly path: string;
  readonly committed: FileVersion;
  readonly indexed: FileVersion;
  readonly isNew: boolean;
  readonly isGone: boolean;
}

/** GAIA's own record: it is not reviewed or delivered, and changes with every check. */
export const RECORD = ".gaia";
/** Excludes the record, at the end of a git command in the project's folder. A deeper folder of that name is not the record. */
export const WITHOUT_RECORD = ["--", ".", `:(exclude,literal)${RECORD}`] as const;

interface DirtyFile {
  readonly now: FileVersion;
  readonly committed: FileVersion;
}

/** The project's files at one moment, and which of them no commit holds; paths are relative to the project. */
export interface TreeState {
  readonly id: TreeId;
  readonly committed: TreeId;
  /** The commit of the project's repository and of each below it, by folder; the project's own is "". */
  readonly heads: ReadonlyMap<string, string>;
  readonly dirty: ReadonlyMap<string, DirtyFile>;
}

interface Committed {
  readonly heads: ReadonlyMap<string, string>;
  readonly tree: TreeId;
  /** The files that git calls changed; null where every difference counts. */
  readonly rows: ReadonlyMap<string, StatusRow> | null;
}

export const UNTOLD = "the files cannot be compared";
const MAX_UNSEEN = 1_000;

/** @returns a function that reads the state of the files, or returns why it cannot */
export function openLook(kind: VcsType, project: string, snapshots: Snapshots) {
  const lookAtGit = openGitLook(project, snapshots);
  let first: TreeId | null = null;
  const committedOf = async (id: TreeId, signal?: AbortSignal): Promise<Committed | string> => {
    if (kind === "git") return lookAtGit(signal);
    if (kind === "none") return { heads: new Map([["", ""]]), tree: (first ??= id), rows: null };
    const revision = await newestRevision(kind, project);
    const tree = revision.id === null ? null : await snapshots.treeOf(revision.id);
    if (tree === null) return revision.words || `the files of ${revision.id} are not there`;
    return { heads: new Map([["", revision.id ?? ""]]), tree, rows: null };
  };
  return async (signal?: AbortSignal) => {
    // Snapshot first: a write in between then counts as uncommitted.
    const id = await snapshots.take(signal);
    if (id === null) return UNTOLD;
    const committed = await committedOf(id, signal);
    if (typeof committed === "string") return committed;
    const { heads, tree, rows } = committed;
    const differs = await snapshots.diff(tree, id);
    if (differs === null) return UNTOLD;
    const dirty = rows === null ? await allOf(snapshots, differs) : dirtyOf(rows, heads, differs);
    return { id, heads, dirty, committed: tree };
  };
}

async function allOf(snapshots: Snapshots, differs: readonly TreeChange[]): Promise<Map<string, DirtyFile>> {
  const dirty = new Map<string, DirtyFile>();
  let left = MAX_UNSEEN;
  for (const { path, before, after } of differs) {
    if (path.startsWith(`${RECORD}/`)) continue;
    // A committed file that snapshots skip may still exist.
    const isGone = isSame(after, NO_FILE) && left-- > 0;
    const { id, mode } = isGone ? await snapshots.versionNow(path) : after;
    if (!isSame(before, { id, mode })) dirty.set(path, { now: { id, mode }, committed: before });
  }
  return dirty;
}

function dirtyOf(
  rows: ReadonlyMap<string, StatusRow>,
  heads: Committed["heads"],
  differs: readonly TreeChange[],
): Map<string, DirtyFile> {
  const changed = new Map(differs.map((change) => [change.path, change.after]));
  const dirty = new Map<string, DirtyFile>();
  for (const [path, { committed, indexed, isNew }] of rows) {
    const isModule = committed.mode === OPAQUE || indexed.mode === OPAQUE;
    const now = isModule
      ? { id: heads.get(path) ?? indexed.id, mode: OPAQUE }
      : (changed.get(path) ?? committed);
    // New files that snapshots skip do not count: the record, the plugin's own data.
    if (!isNew || !isSame(now, NO_FILE)) dirty.set(path, { now, committed });
  }
  return dirty;
}

const MAX_BYTES = 16_000_000;
const MAX_REPOSITORIES = 20;
const MAX_DEPTH = 3;

function openGitLook(project: string, snapshots: Snapshots) {
  /** By folder: its path in its repository, the newest commit, and the folder's tree in that. */
  const commits = new Map<string, { head: string; prefix: string; tree: string }>();
  return async (signal?: AbortSignal): Promise<Committed | string> => {
    const heads = new Map<string, string>();
    const rows = new Map<string, StatusRow>();
    /** @returns why git does not answer; empty where it does */
    const look = async (folder: string, depth: number): Promise<string> => {
      const ask = async (args: readonly string[]): Promise<ProgramEnd> =>
        askGit({ folder: join(project, folder), signal }, args, { maxBytes: MAX_BYTES });
      const status = await ask(STATUS);
      if (!status.ok || status.isCut) return status.words || UNTOLD;
      const { head, rows: found } = parseStatus(status.text);
      let commit = commits.get(folder);
      if (commit?.head !== head) {
        const asked = await ask(["rev-parse", "--show-prefix", `${head || "HEAD"}:./`]);
        const [prefix = "", tree = ""] = asked.text.split("\n");
        commit = { head, prefix, tree: asked.ok ? tree : "" };
        if (asked.ok) commits.set(folder, commit);
      }
      const { prefix } = commit;
      heads.set(folder, head);
      // Where the project is a part of its repository, only paths below it.
      const paths = found.map((row) => ({
        ...row,
        path: posix.join(folder, posix.relative(prefix, row.path)),
      }));
      const below = found.flatMap(({ isNew, path }, at) =>
        isNew && path.endsWith("/") ? (paths[at]?.path ?? "") : "",
      );
      const modules = await submodulesOf(join(project, folder), folder);
      for (const path of new Set([...modules, ...below].map((each) => each.replace(/\/$/u, "")))) {
        const isLeft = path === "" || depth >= MAX_DEPTH || heads.size > MAX_REPOSITORIES;
        if (isLeft || !existsSync(join(project, path, ".git"))) continue;
        const failed = await look(path, depth + 1);
        if (failed !== "") return failed;
      }
      for (const row of paths) if (!row.path.endsWith("/")) rows.set(row.path, row);
      return "";
    };
    const failed = await look("", 0);
    if (failed !== "") return failed;
    return { heads, tree: commits.get("")?.tree || (await snapshots.empty()), rows };
  };
}

async function submodulesOf(directory: string, folder: string): Promise<string[]> {
  const text = await readText(join(directory, ".gitmodules"));
  return [...text.matchAll(/^\s*path\s*=\s*(\S.*?)\s*$/gmu)].map(([, path = ""]) => posix.join(folder, path));
}

/** The revision of a project, see `Vcs.baseRevision`, or the program's error. */
export async function newestRevision(
  kind: VcsType,
  project: string,
): Promise<{ readonly id: string | null; readonly words: string }> {
  if (kind === "none") return { id: null, words: "" };
  const { ok, text, words } =
    kind === "jj"
      ? await askJj(project, [...PARENT, "--ignore-working-copy"])
      : await askGit({ folder: project }, ["rev-list", "-1", "HEAD", "--"]);
  return { id: (ok && /^[0-9a-f]{7,64}/.exec(text.trim())?.[0]) || null, words };
}

/** The parent of the working-copy commit of jj; the newest of several. */
export const PARENT = ["log", "--revisions=@-", "--no-graph", "--limit=1", "--template=commit_id"] as const;

/** Runs Jujutsu for its output; a repository cannot bring filters, hooks or attributes for it. */
export async function askJj(
  folder: string,
  args: readonly string[],
  limits: Limits = {},
): Promise<ProgramEnd> {
  const env = { ...process.env, LC_ALL: "C" };
  return runProgram({ command: ["jj", "--no-pager", "--color=never", ...args], env }, folder, limits);
}

/** The arguments for {@link parseStatus}. Submodules are asked separately. */
export const STATUS = [
  "status",
  "--porcelain=v2",
  "--branch",
  "-z",
  "--untracked-files=all",
  "--no-renames",
  "--ignore-submodules=dirty",
  ...WITHOUT_RECORD,
] as const;

const CHANGED = /^1 .(.) \S+ (\d+) (\d+) \d+ ([0-9a-f]+) ([0-9a-f]+) (.+)$/su;
const UNMERGED = /^u .. \S+ \d+ (\d+) \d+ \d+ [0-9a-f]+ ([0-9a-f]+) [0-9a-f]+ (.+)$/su;

/** Reads what git printed; `head` is "" before the first commit. */
export function parseStatus(text: string): { readonly head: string; readonly rows: readonly StatusRow[] } {
  const rows: StatusRow[] = [];
  let head = "";
  for (const row of text.split("\0")) {
    const [, how, modeH = "", modeI = "", idH = "", idI = "", path] = CHANGED.exec(row) ?? [];
    const [, ourMode = "", ourId = "", conflicted] = UNMERGED.exec(row) ?? [];
    if (path !== undefined)
      rows.push({
        path,
        committed: version(idH, modeH),
        indexed: version(idI, modeI),
        isNew: false,
        isGone: how === "D",
      });
    else if (conflicted !== undefined) {
      const committed = version(ourId, ourMode);
      rows.push({ path: conflicted, committed, indexed: committed, isNew: false, isGone: false });
    } else if (row.startsWith("? "))
      rows.push({ path: row.slice(2), committed: NO_FILE, indexed: NO_FILE, isNew: true, isGone: false });
    else head = /^# branch\.oid ([0-9a-f]+)$/u.exec(row)?.[1] ?? head;
  }
  return { head, rows };
}

function version(id: string, mode: string): FileVersion {
  return /^0*$/u.test(id) ? NO_FILE : { id, mode };
}

/** Whether the newest stash holds these bytes of a file. */
export async function isStashed(project: string, path: string, bytes: Buffer | null): Promise<boolean> {
  // In the innermost repository that holds the file.
  const parts = path.split("/").slice(0, -1);
  while (parts.length > 0 && !existsSync(join(project, ...parts, ".git"))) parts.pop();
  const folder = join(project, ...parts);
  const name = relative(folder, join(project, path));
  // Where it was untracked, the stash has it in a third parent.
  for (const tree of bytes === null ? [] : ["refs/stash", "refs/stash^3"]) {
    // As it would be on disk.
    const args = ["cat-file", "--filters", `--path=${name}`, `${tree}:./${name}`];
    const stashed = await askGit({ folder }, args, { maxBytes: MAX_FILE_BYTES });
    if (stashed.ok && bytes?.equals(stashed.bytes) === true) return true;
  }
  return false;
}
