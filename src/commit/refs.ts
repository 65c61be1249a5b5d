import { join, resolve } from "node:path";
import { readTextSync } from "../lib/read-source.ts";

const MAX_BYTES = 32_000_000;

/** The branch that is checked out, or the commit where none is; null where there is no repository. Starts no git. */
export function lookAtHead(worktree: string): string | null {
  const head = readHead(worktree)?.head;
  return head?.replace(/^ref: (?:refs\/heads\/)?/u, "") ?? null;
}

/** The commit that is checked out; null where there is none. Starts no git. */
export function lookAtCommit(worktree: string): string | null {
  const found = readHead(worktree);
  const branch = /^ref: (.+)/u.exec(found?.head ?? "")?.[1];
  if (found === null || branch === undefined) return found?.head ?? null;
  // A linked worktree shares its branches with the others.
  const common = resolve(found.folder, textOf(join(found.folder, "commondir")) ?? "");
  const packed = (): string =>
    textOf(join(common, "packed-refs"))
      ?.split("\n")
      .find((row) => row.endsWith(` ${branch}`)) ?? "";
  return textOf(join(common, branch)) ?? (packed().split(" ")[0] || null);
}

function readHead(worktree: string): { readonly folder: string; readonly head: string } | null {
  const entry = join(worktree, ".git");
  const pointed = /^gitdir: (.+)/u.exec(textOf(entry) ?? "")?.[1];
  const folder = pointed === undefined ? entry : resolve(worktree, pointed);
  const head = textOf(join(folder, "HEAD"));
  return head === null ? null : { folder, head };
}

function textOf(path: string): string | null {
  return readTextSync(path, MAX_BYTES).trim() || null;
}
