import { askGit, type GitPlace } from "../process/git.ts";
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import { readText } from "../lib/read-source.ts";
import type { Snapshots, TreeId } from "../snapshot/snapshots.ts";
import { type FileVersion, isSame, NO_FILE, OPAQUE, type TreeChange } from "../snapshot/version.ts";
import { parseStatus, STATUS, type StatusRow } from "./status.ts";

const MAX_BYTES = 16_000_000;
/** Repositories below the project that are looked into, submodules and others. */
const MAX_REPOSITORIES = 20;
const MAX_DEPTH = 3;

/** A file that is not as the newest commit has it. */
export interface DirtyFile {
  readonly now: FileVersion;
  readonly committed: FileVersion;
}

/** The project's files at one moment, and which of them no commit holds; paths are relative to the project. */
export interface TreeState {
  readonly id: TreeId;
  /** The commit of the project's repository and of each below it, by folder; the project's own is "". */
  readonly heads: ReadonlyMap<string, string>;
  readonly dirty: ReadonlyMap<string, DirtyFile>;
}

/** Looks at a project's tree, and at what its commits hold of it. Nothing here throws, takes git's locks or writes. */
export interface Trees extends Pick<Snapshots, "take" | "diff" | "bytes" | "versionNow" | "restore"> {
  read(): Promise<TreeState | null>;
  /** What is not the same at two moments; null where one of them is not known any more. */
  changes(from: TreeState, to: TreeState): Promise<TreeChange[] | null>;
  /** Whether the newest stash holds this version of a file. */
  isStashed(path: string, version: FileVersion): Promise<boolean>;
}

/** What no commit holds, as a repository tells it. */
interface Uncommitted {
  readonly heads: Map<string, string>;
  readonly rows: Map<string, StatusRow>;
  /** What the files are compared with. */
  base: string;
}

/** The trees of a git repository, and of those below it. */
export function gitTrees(project: string, snapshots: Snapshots): Trees {
  const at = (folder: string): GitPlace => ({ folder: join(project, folder) });
  const inner = (path: string) => {
    const directory = repositoryOf(project, path);
    return { repository: { folder: directory }, name: relative(directory, join(project, path)) };
  };

  /** By folder: where it lies in its repository, and the newest commit with the tree that this holds of it. */
  const commits = new Map<
    string,
    { readonly head: string; readonly prefix: string; readonly tree: string }
  >();

  const look = async (folder: string, depth: number, found: Uncommitted): Promise<boolean> => {
    const status = await askGit(at(folder), STATUS, { maxBytes: MAX_BYTES });
    if (!status.ok || status.text.length >= MAX_BYTES) return false;
    const { head, rows } = parseStatus(status.text);
    let commit = commits.get(folder);
    if (commit?.head !== head) {
      const asked = await askGit(at(folder), ["rev-parse", "--show-prefix", `${head || "HEAD"}:./`], {
        maxBytes: MAX_BYTES,
      });
      const [prefix = "", tree = ""] = asked.text.split("\n");
      commit = { head, prefix, tree: asked.ok ? tree : "" };
      if (asked.ok) commits.set(folder, commit);
    }
    const { prefix, tree } = commit;
    found.heads.set(folder, head);
    if (folder === "" && tree !== "") found.base = tree;
    // Of a project that is a part of its repository, only what lies below it.
    const paths = rows.map((row) => ({ ...row, path: join(folder, relative(prefix, row.path)) }));
    const below = rows.flatMap(({ isNew }, at) => (isNew ? (paths[at]?.path ?? "") : ""));
    const modules = await submodulesOf(join(project, folder), folder);
    const repositories = [...modules, ...below.filter((path) => path.endsWith("/"))];
    for (const path of new Set(repositories.map((each) => each.replace(/\/$/u, "")))) {
      const isLeft = depth >= MAX_DEPTH || found.heads.size > MAX_REPOSITORIES;
      if (isLeft || !existsSync(join(project, path, ".git"))) continue;
      if (!(await look(path, depth + 1, found))) return false;
    }
    for (const row of paths) if (!row.path.endsWith("/")) found.rows.set(row.path, row);
    return true;
  };

  return {
    ...snapshots,
    async read() {
      const found: Uncommitted = { heads: new Map(), rows: new Map(), base: await snapshots.empty() };
      // What is written in between counts as not committed, and not as the other way round.
      const id = await snapshots.take();
      const differs = id !== null && (await look("", 0, found)) ? await snapshots.diff(found.base, id) : null;
      if (id === null || differs === null) return null;
      const changed = new Map(differs.map((change) => [change.path, change]));
      const dirty = new Map<string, DirtyFile>();
      for (const [path, { committed, indexed, isNew }] of found.rows) {
        const isModule = committed.mode === OPAQUE || indexed.mode === OPAQUE;
        const now = isModule
          ? { id: found.heads.get(path) ?? indexed.id, mode: OPAQUE }
          : (changed.get(path)?.after ?? committed);
        // What is no part of the tree is nobody's work: the record, and the plugin's own data.
        if (!isNew || !isSame(now, NO_FILE)) dirty.set(path, { now, committed });
      }
      return { id, heads: found.heads, dirty };
    },
    changes: async (from, to) => changesBetween(snapshots, from, to),
    async isStashed(path, version) {
      const { repository, name } = inner(path);
      const bytes = await snapshots.bytes(version);
      // Where it was untracked, the stash has it in a third parent.
      for (const tree of ["refs/stash", "refs/stash^3"])
        if (bytes !== null && (await checkedOut(repository, name, `${tree}:./${name}`))?.equals(bytes))
          return true;
      return false;
    },
  };
}

/** The trees of a folder without commits that can be read: what it holds at the first look stands for the commit. */
export function plainTrees(snapshots: Snapshots): Trees & { first(): Promise<TreeId | null> } {
  let first: TreeId | null = null;
  const begin = async (): Promise<TreeId | null> => (first ??= await snapshots.take());
  return {
    ...snapshots,
    first: begin,
    async read() {
      const [from, id] = [await begin(), await snapshots.take()];
      const differs = from === null || id === null ? null : await snapshots.diff(from, id);
      if (id === null || differs === null) return null;
      const dirty = new Map(
        differs.map(({ path, before, after }) => [path, { now: after, committed: before }]),
      );
      return { id, heads: new Map([["", ""]]), dirty };
    },
    changes: async (from, to) => changesBetween(snapshots, from, to),
    isStashed: async () => false,
  };
}

async function changesBetween(
  snapshots: Snapshots,
  from: TreeState,
  to: TreeState,
): Promise<TreeChange[] | null> {
  const changes = await snapshots.diff(from.id, to.id);
  // Which commit a submodule is at stands in no file.
  const commits = [...to.heads].flatMap(([path, head]) => {
    const old = from.heads.get(path);
    const isTold =
      path !== "" && old !== undefined && old !== head && to.dirty.get(path)?.now.mode === OPAQUE;
    return isTold ? [{ path, before: { id: old, mode: OPAQUE }, after: { id: head, mode: OPAQUE } }] : [];
  });
  return changes && [...changes, ...commits];
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

/** An object's bytes as they would lie in the folder at a name; null where there is none. */
async function checkedOut(repository: GitPlace, name: string, object: string): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  const args = ["cat-file", "--filters", `--path=${name}`, object];
  const { ok } = await askGit(repository, args, {
    maxBytes: MAX_BYTES,
    take: (chunk) => void chunks.push(chunk),
  });
  return ok ? Buffer.concat(chunks) : null;
}
