import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { statAll } from "../../lib/stat-all.ts";
import type { Repository } from "../command.ts";
import { WITHOUT_RECORD } from "../exclusions.ts";
import { runGit } from "../git-command.ts";
import { createGitIndex, type GitIndex } from "../git-index.ts";
import { isCommittedHere } from "./committed.ts";
import { type Contents, createContents } from "./contents.ts";
import { gatherFolders } from "./folders.ts";
import {
  type DirtyFile,
  type FileVersion,
  folderVersion,
  isSame,
  NO_FILE,
  type TreeChange,
  type TreeState,
} from "./state.ts";
import { parseStatus, STATUS, STATUS_BY_FOLDER, type StatusRow } from "./status.ts";
import { readText } from "../../lib/read-source.ts";

/**
 * More files than this that differ from the commit are not looked at each: for those of the largest new folders the folder
 * stands, and where that is not enough, nothing is told.
 */
const MAX_DIRTY = 3_000;
const MAX_STATUS_BYTES = 8_000_000;
const MAX_BLOB_BYTES = 1_000_000;
/** Repositories below the project that are looked into, submodules and others. */
const MAX_REPOSITORIES = 20;
const MAX_DEPTH = 3;
/** Files that git is told not to look at which are looked at. */
const MAX_UNWATCHED = 20_000;
const SUBMODULE = "160000";
const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Looks at a project's tree. Nothing here throws, takes git's locks or writes. */
export interface TreeReader {
  /**
   * @param isNeeded ids whose content is to be kept beside that of the files as they are now
   * @returns null where git does not answer, or there is too much to look at
   */
  read(isNeeded: (id: string) => boolean, signal?: AbortSignal): Promise<TreeState | null>;
  /** What differs between the commits of two states. */
  moved(from: TreeState, to: TreeState): Promise<Map<string, Omit<TreeChange, "path">>>;
  /**
   * A version's bytes as they lay in the folder, line ends included; null where nobody has them any more, and for what is
   * no plain file.
   */
  bytes(path: string, version: FileVersion): Promise<Buffer | null>;
  /** A file as it lies in the folder now. @param like a version whose kind of name is used */
  version(path: string, like: FileVersion): Promise<FileVersion>;
  /** Whether a file is as a commit left it that was made in this working tree since then, in milliseconds; false where nobody can tell. */
  isCommittedHere(path: string, version: FileVersion, since: number): Promise<boolean>;
  /** Whether the newest stash holds this version of a file. */
  isStashed(path: string, version: FileVersion): Promise<boolean>;
  /** Bytes that were seen in the folder and may be in no commit; null where they were not kept. */
  kept(id: string): Buffer | null;
  /** Keeps bytes that were kept elsewhere over a restart. */
  readonly keep: (id: string, bytes: Buffer) => void;
}

interface Found {
  readonly heads: Map<string, string>;
  readonly dirty: Map<string, DirtyFile>;
  repositories: number;
}

/** @param contents what was read of the project's files already */
export function createTreeReader(
  project: string,
  clock: Clock,
  contents: Contents = createContents(),
  index: GitIndex = createGitIndex(),
): TreeReader {
  const at = (folder: string, signal?: AbortSignal): Repository => ({
    directory: join(project, folder),
    clock,
    signal,
  });

  const look = async (
    folder: string,
    depth: number,
    found: Found,
    signal?: AbortSignal,
  ): Promise<boolean> => {
    const repository = at(folder, signal);
    const top = await topOf(repository);
    const status = await statusOf(repository, MAX_DIRTY - found.dirty.size);
    if (status === null || top === null) return false;
    const { head, rows, folders } = status;
    found.heads.set(folder, head);
    const hash = head.length === 64 ? "sha256" : "sha1";
    // Of a project that is a part of its repository, only what lies below it.
    const pathOf = (row: Pick<StatusRow, "path">): string => join(folder, relative(top, row.path));
    for (const each of folders) {
      const path = `${pathOf(each)}/`;
      found.dirty.set(path, { now: folderVersion(path, each.count), committed: NO_FILE });
    }
    const below = rows.filter(({ mode, path }) => mode === null && path.endsWith("/")).map(pathOf);
    const inner = [...(await submodulesOf(repository.directory, folder)), ...below].map((path) =>
      path.replace(/\/$/u, ""),
    );
    if (depth < MAX_DEPTH) {
      for (const path of new Set(inner)) {
        if (found.repositories++ >= MAX_REPOSITORIES || !existsSync(join(project, path, ".git"))) continue;
        if (!(await look(path, depth + 1, found, signal))) return false;
      }
    }
    const files = rows.filter(({ path }) => !path.endsWith("/"));
    const unstaged = files.filter(({ isUnstaged }) => isUnstaged).map((row) => join(project, pathOf(row)));
    const stats = await statAll(unstaged);
    for (const row of files) {
      const path = pathOf(row);
      const isModule = row.mode === SUBMODULE || row.committed.mode === SUBMODULE;
      const file = join(project, path);
      let now = row.indexed;
      if (row.mode === "") now = NO_FILE;
      else if (isModule) now = { id: found.heads.get(path) ?? row.indexed.id, mode: SUBMODULE };
      else if (row.isUnstaged) now = await contents.versionOf(file, row.mode, hash, stats.get(file));
      found.dirty.set(path, { now, committed: row.committed });
    }
    await lookBehindBits(repository, folder, hash, found);
    return true;
  };

  /** Files that git was told not to look at, as far as they are there: they count like all others. */
  const lookBehindBits = async (
    repository: Repository,
    folder: string,
    hash: "sha1" | "sha256",
    { dirty }: Found,
  ): Promise<void> => {
    const held = await index.read(repository);
    const names = (held?.unsure ?? [])
      .slice(0, MAX_UNWATCHED)
      .filter((path) => !dirty.has(join(folder, path)));
    const stats = await statAll(names.map((path) => join(repository.directory, path)));
    for (const path of names) {
      const file = join(repository.directory, path);
      const entry = stats.get(file);
      const [mode = "", id = ""] = held?.files.get(path)?.content.split(" ") ?? [];
      const now = entry === undefined ? null : await contents.versionOf(file, mode, hash, entry);
      const committed = { id, mode };
      if (now !== null && !isSame(now, committed)) dirty.set(join(folder, path), { now, committed });
    }
  };

  /** What git says of a repository, in at most so many rows; null where that cannot be. */
  const statusOf = async (repository: Repository, room: number) => {
    const ask = async (args: readonly string[]) => {
      const { ok, text } = await runGit(repository, [...args, ...WITHOUT_RECORD], MAX_STATUS_BYTES);
      return ok && text.length < MAX_STATUS_BYTES ? parseStatus(text) : null;
    };
    const all = await ask(STATUS);
    if (all !== null && all.rows.length <= room) return { ...all, folders: [] };
    const byFolder = await ask(STATUS_BY_FOLDER);
    const gathered = byFolder && gatherFolders(all?.rows ?? null, byFolder.rows, room);
    return gathered && { head: byFolder.head, ...gathered };
  };

  const tops = new Map<string, string>();
  /** The folder below which a repository is looked at, relative to its top. */
  const topOf = async (repository: Repository): Promise<string | null> => {
    const known = tops.get(repository.directory);
    if (known !== undefined) return known;
    const { ok, text } = await runGit(repository, ["rev-parse", "--show-prefix"], MAX_STATUS_BYTES);
    if (!ok) return null;
    const prefix = text.replace(/\/?\n$/u, "");
    tops.set(repository.directory, prefix);
    return prefix;
  };

  return {
    async read(isNeeded, signal) {
      const found: Found = { heads: new Map(), dirty: new Map(), repositories: 0 };
      if (!(await look("", 0, found, signal)) || signal?.aborted === true) return null;
      const ids = new Set([...found.dirty.values()].map(({ now }) => now.id));
      contents.retain((id) => ids.has(id) || isNeeded(id));
      return found;
    },
    async moved(from, to) {
      const moved = new Map<string, Omit<TreeChange, "path">>();
      for (const [folder, head] of to.heads) {
        const before = from.heads.get(folder);
        if (before === undefined || before === head) continue;
        const range = [before || EMPTY_TREE, head || EMPTY_TREE];
        const args = ["diff", "--raw", "-z", "--no-renames", "--no-abbrev", "--relative", ...range];
        const { text } = await runGit(at(folder), [...args, ...WITHOUT_RECORD], MAX_STATUS_BYTES);
        for (const [, modeA = "", modeB = "", idA = "", idB = "", path = ""] of text.matchAll(
          /:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]\0([^\0]+)\0/gu,
        )) {
          moved.set(join(folder, path), { before: versionOf(idA, modeA), after: versionOf(idB, modeB) });
        }
      }
      return moved;
    },
    async bytes(path, { id, mode }) {
      if (mode === SUBMODULE || id === "" || id.startsWith("~")) return null;
      const known = contents.bytes(id);
      if (known !== null) return known;
      const chunks: Buffer[] = [];
      const folder = repositoryOf(project, path);
      const name = relative(folder, join(project, path));
      const { ok } = await runGit(
        { directory: folder, clock },
        ["cat-file", "--filters", `--path=${name}`, id],
        MAX_BLOB_BYTES + 1,
        (chunk) => chunks.push(chunk),
      );
      const bytes = Buffer.concat(chunks);
      return ok && bytes.length <= MAX_BLOB_BYTES ? bytes : null;
    },
    version: async (path, { id }) =>
      contents.versionOf(join(project, path), null, id.length === 64 ? "sha256" : "sha1"),
    async isCommittedHere(path, version, since) {
      const directory = repositoryOf(project, path);
      const name = relative(directory, join(project, path));
      return isCommittedHere({ directory, clock }, name, version, Math.floor(since / 1_000));
    },
    async isStashed(path, { id, stored = id }) {
      const directory = repositoryOf(project, path);
      const name = relative(directory, join(project, path));
      // Where it was untracked, the stash has it in a third parent.
      for (const tree of ["refs/stash", "refs/stash^3"]) {
        const args = ["rev-parse", "--verify", "--quiet", `${tree}:./${name}`];
        const { ok, text } = await runGit({ directory, clock }, args, MAX_STATUS_BYTES);
        if (ok && text.trim() === stored) return true;
      }
      return false;
    },
    kept: contents.bytes,
    keep: contents.keep,
  };
}

function versionOf(id: string, mode: string): FileVersion {
  return /^0+$/u.test(id) ? NO_FILE : { id, mode };
}

/** The folder of the repository that holds a file: the innermost below the project. */
function repositoryOf(project: string, path: string): string {
  const parts = path.split("/").slice(0, -1);
  while (parts.length > 0) {
    const folder = join(project, ...parts);
    if (existsSync(join(folder, ".git"))) return folder;
    parts.pop();
  }
  return project;
}

async function submodulesOf(directory: string, folder: string): Promise<string[]> {
  const text = await readText(join(directory, ".gitmodules"));
  return [...text.matchAll(/^\s*path\s*=\s*(\S.*?)\s*$/gmu)].map(([, path = ""]) => join(folder, path));
}
