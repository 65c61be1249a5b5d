import { readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { readTextSync } from "../lib/read-source.ts";

/** Where HEAD, branches and tags of one repository are, each by its name. */
export type Refs = ReadonlyMap<string, string>;

/** The folders of a repository: its own and, of a linked worktree, the one that it shares with the others. */
export interface RepositoryFolders {
  readonly own: string;
  readonly common: string;
}

const MAX_BYTES = 32_000_000;
/** Loose refs that are read; what is beyond is not looked at. */
const MAX_LOOSE = 5_000;
const LOOKED_AT = ["heads", "tags"] as const;
const PACKED = /^([0-9a-f]{40,64}) (refs\/(?:heads|tags)\/.+)$/gmu;

/** Finds the repository of a folder without asking git; null where there is none. */
export function findRepository(worktree: string): RepositoryFolders | null {
  const entry = join(worktree, ".git");
  const pointed = /^gitdir: (.+)/u.exec(textOf(entry) ?? "")?.[1];
  const own = pointed === undefined ? entry : resolve(worktree, pointed.trim());
  if (textOf(join(own, "HEAD")) === null) return null;
  const shared = textOf(join(own, "commondir"))?.trim();
  return { own, common: shared === undefined ? own : resolve(own, shared) };
}

/** Packed refs are read again only when their file has changed. */
const packedBefore = new Map<string, { readonly stamp: string; readonly refs: Refs }>();

/**
 * HEAD, branches and tags as their files have them, without a process: a look costs about as much as listing the branches.
 * Branches that other worktrees have checked out are left out, for they are the business of those who work there.
 */
export function lookAtRefs({ own, common }: RepositoryFolders): Map<string, string> {
  const refs = new Map<string, string>(readPacked(common));
  let left = MAX_LOOSE;
  const walk = (folder: string, name: string): void => {
    for (const entry of entriesOf(folder)) {
      const path = join(folder, entry.name);
      const ref = `${name}/${entry.name}`;
      if (entry.isDirectory()) walk(path, ref);
      else if (left-- > 0 && !entry.name.endsWith(".lock")) refs.set(ref, textOf(path)?.trim() ?? "");
    }
  };
  for (const kind of LOOKED_AT) walk(join(common, "refs", kind), `refs/${kind}`);
  const head = textOf(join(own, "HEAD"))?.trim() ?? "";
  for (const branch of elsewhere(own, common)) if (`ref: ${branch}` !== head) refs.delete(branch);
  refs.set("HEAD", head);
  return refs;
}

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

/** Branches that are checked out in another worktree of the same repository. */
function elsewhere(own: string, common: string): string[] {
  const folders = entriesOf(join(common, "worktrees")).map(({ name }) => join(common, "worktrees", name));
  const others = [...folders, ...(own === common ? [] : [common])].filter((folder) => folder !== own);
  return others.flatMap(
    (folder) => /^ref: (.+)/u.exec(textOf(join(folder, "HEAD")) ?? "")?.[1]?.trim() ?? [],
  );
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return []; // There is no such folder.
  }
}

function textOf(path: string): string | null {
  return readTextSync(path, MAX_BYTES) || null;
}
