import { statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readTextSync } from "../../lib/read-source.ts";

/** Where branches are, each by its name. */
type Refs = ReadonlyMap<string, string>;

/** The folders of a repository: its own and, of a linked worktree, the one that it shares with the others. */
interface RepositoryFolders {
  readonly own: string;
  readonly common: string;
}

const MAX_BYTES = 32_000_000;
const PACKED = /^([0-9a-f]{40,64}) (refs\/heads\/.+)$/gmu;

/** Finds the repository of a folder without asking git; null where there is none. */
function findRepository(worktree: string): RepositoryFolders | null {
  const entry = join(worktree, ".git");
  const pointed = /^gitdir: (.+)/u.exec(textOf(entry) ?? "")?.[1];
  const own = pointed === undefined ? entry : resolve(worktree, pointed.trim());
  if (textOf(join(own, "HEAD")) === null) return null;
  const shared = textOf(join(own, "commondir"))?.trim();
  return { own, common: shared === undefined ? own : resolve(own, shared) };
}

/** Packed refs are read again only when their file has changed. */
const packedBefore = new Map<string, { readonly stamp: string; readonly refs: Refs }>();

/** The branch that is checked out, or the commit where none is; null where there is no repository. */
export function lookAtHead(worktree: string): string | null {
  const repository = findRepository(worktree);
  const head = repository === null ? null : textOf(join(repository.own, "HEAD"));
  return head?.trim().replace(/^ref: (?:refs\/heads\/)?/u, "") ?? null;
}

/** The commit that is checked out, or what is there of its name; null where there is none. */
export function lookAtCommit(worktree: string): string | null {
  const repository = findRepository(worktree);
  if (repository === null) return null;
  const head = textOf(join(repository.own, "HEAD"))?.trim() ?? "";
  const branch = /^ref: (.+)/u.exec(head)?.[1];
  if (branch === undefined) return head;
  const loose = textOf(join(repository.common, branch))?.trim();
  return loose ?? readPacked(repository.common).get(branch) ?? null;
}

function readPacked(common: string): Refs {
  const path = join(common, "packed-refs");
  let stamp = "";
  try {
    const { ino, size, mtimeMs } = statSync(path);
    stamp = `${ino} ${size} ${mtimeMs}`;
  } catch {
    return new Map(); // Nothing is packed.
  }
  const before = packedBefore.get(path);
  if (before?.stamp === stamp) return before.refs;
  const refs = new Map([...(textOf(path) ?? "").matchAll(PACKED)].map(([, id = "", ref = ""]) => [ref, id]));
  packedBefore.set(path, { stamp, refs });
  return refs;
}

function textOf(path: string): string | null {
  return readTextSync(path, MAX_BYTES) || null;
}
