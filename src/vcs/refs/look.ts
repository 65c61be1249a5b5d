import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";

/** Where HEAD, branches, tags and stashes of one repository are, each by its name. */
export type Refs = ReadonlyMap<string, string>;

/** The folders of a repository: its own and, of a linked worktree, the one that it shares with the others. */
export interface RepositoryFolders {
  readonly own: string;
  readonly common: string;
}

/** Loose refs that are read; what is beyond is not looked at. */
const MAX_LOOSE = 5_000;
const MAX_SUBMODULES = 50;
const LOOKED_AT = ["heads", "tags"] as const;
/** A stash by the commit that holds it: only this log knows it. */
const STASHED = /^[0-9a-f]+ ([0-9a-f]{40,64}) /gmu;
const PACKED = /^([0-9a-f]{40,64}) (refs\/(?:heads|tags)\/.+)$/gmu;

/** What the name of a stash begins with, before its commit. */
export const STASH = "stash ";

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
 * HEAD, branches, tags and stashes as their files have them, without a process: a look costs about as much as listing the branches.
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
  const stashes = textOf(join(common, "logs", "refs", "stash")) ?? "";
  for (const [, id = ""] of stashes.matchAll(STASHED)) refs.set(`${STASH}${id}`, id);
  // In this format only git itself reads them; that something moved is told all the same.
  const tables = textOf(join(common, "reftable", "tables.list"));
  if (tables !== null) refs.set("refs", tables);
  return refs;
}

/** Heads that git writes while it waits for a commit that ends what was begun, beside which it makes none of a part. */
const BEGUN = { merge: "MERGE_HEAD", "cherry-pick": "CHERRY_PICK_HEAD" } as const;

/** What was begun in a working tree and is ended by the next commit of all that is staged; null for nothing. */
export function lookAtBegun(worktree: string): keyof typeof BEGUN | null {
  const own = findRepository(worktree)?.own;
  if (own === undefined) return null;
  const isThere = (name: keyof typeof BEGUN): boolean => existsSync(join(own, BEGUN[name]));
  return (["merge", "cherry-pick"] as const).find(isThere) ?? null;
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

const MAX_KNOWN = 500;
const COMMIT = /\b[0-9a-f]{40,64}\b/gu;

/** Commits at which HEAD was, newest last: to go back to one of them is nothing new. */
export function knownCommits({ own }: RepositoryFolders): string[] {
  const text = ["logs/HEAD", "ORIG_HEAD"].map((name) => textOf(join(own, name)) ?? "").join("\n");
  const found = [...text.matchAll(COMMIT)].map(([id]) => id).filter((id) => !/^0+$/u.test(id));
  return [...new Set(found)].slice(-MAX_KNOWN);
}

/** The repositories of a project's submodules, by their folders below its own. */
export function findSubmodules({ common }: RepositoryFolders): RepositoryFolders[] {
  const found: RepositoryFolders[] = [];
  const walk = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      const own = join(folder, entry.name);
      if (!entry.isDirectory() || found.length >= MAX_SUBMODULES || depth > 4) continue;
      if (textOf(join(own, "HEAD")) === null) walk(own, depth + 1);
      else found.push({ own, common: own });
    }
  };
  walk(join(common, "modules"), 0);
  return found;
}

/** When someone fetched last, as a text that says nothing else. */
export function lookAtFetches({ own }: RepositoryFolders): string {
  try {
    return String(statSync(join(own, "FETCH_HEAD")).mtimeMs);
  } catch {
    return ""; // Nobody has.
  }
}

/** jj's newest operations, by their names. */
export function lookAtOperations(worktree: string): string {
  const entry = join(worktree, ".jj", "repo");
  const pointed = textOf(entry)?.trim();
  const repository = pointed === undefined ? entry : resolve(worktree, ".jj", pointed);
  return entriesOf(join(repository, "op_heads", "heads"))
    .map(({ name }) => name)
    .toSorted()
    .join(" ");
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
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null; // There is no such file.
  }
}
