import { relative } from "node:path";
import { excerpt } from "../../lib/excerpt.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { lookAtCommit, lookAtHead } from "../../vcs/refs/look.ts";
import type { UncommittedFile, Vcs } from "../../vcs/port.ts";
import { renderMove } from "../../vcs/refs/ref-watch.ts";

/** A call that records something, as it began: plain JSON, for git may be done with it when OpenCode is killed. */
export interface BegunCommit {
  readonly unit: string | null;
  /** What it records, and for whom, in words. */
  readonly what: string;
  readonly by: string;
  /** The top of the tree in which it runs, and where that was. */
  readonly worktree: string;
  readonly branch: string;
  readonly from: string;
  /** The content of the files; empty where it cannot be told. */
  readonly tree: string;
  /** Files, from there, of which the index held nothing new: that something of them is staged is no one's wish without it. */
  readonly unstaged: readonly string[];
  /** The process group that is at it, where it is known: it may outlive OpenCode. */
  readonly group: number | null;
}

/** More of them at once are not kept. */
const MAX_BEGUN = 4;
const MAX_TEXT = 500;
/** With more files than this nothing is taken out of the index again. */
const MAX_UNSTAGED = 200;
const COMMIT = /^[0-9a-f]{40,64}$/u;

/** A call that is about to record something. */
export function beginCommit(
  call: Pick<BegunCommit, "unit" | "what" | "by" | "worktree"> & {
    readonly tree: string | null;
    readonly uncommitted: readonly UncommittedFile[] | null;
  },
): BegunCommit {
  const { unit, by, worktree, tree } = call;
  const unstaged = (call.uncommitted ?? []).flatMap(({ path, isInIndex }) =>
    isInIndex ? [] : [relative(worktree, path)],
  );
  return {
    unit,
    what: excerpt(call.what, MAX_TEXT),
    by,
    worktree,
    branch: branchOf(worktree),
    from: lookAtCommit(worktree) ?? "",
    tree: tree ?? "",
    unstaged: unstaged.length > MAX_UNSTAGED ? [] : unstaged,
    group: null,
  };
}

/** The index is the user's: what was staged for a commit that was not made, as where a hook refused it, leaves it again. */
export async function putBack(
  vcs: Pick<Vcs, "uncommitted" | "unstage">,
  unstaged: readonly string[],
): Promise<void> {
  const now = unstaged.length === 0 ? null : await vcs.uncommitted();
  const staged = (now ?? []).filter(({ path, isInIndex }) => isInIndex && unstaged.includes(path));
  if (staged.length > 0) await vcs.unstage(staged.map(({ path }) => path));
}

/** Whether something of the group that was at it runs still, as far as can be told. */
export function isAtWork({ group }: BegunCommit): boolean {
  try {
    return group === null || process.kill(-group, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

/**
 * What came of it as far as the tree shows now: the move, as it is told where nobody was killed; `nothing` as long as there is
 * none; null where another branch or tree is looked at, which tells nothing.
 */
export function moveSince({ worktree, branch, from }: BegunCommit, now: string): string | null {
  if (now !== worktree || branchOf(now) !== branch) return null;
  const to = lookAtCommit(now) ?? "";
  const ref = branch === "" ? "HEAD" : `refs/heads/${branch}`;
  return to === from ? "nothing" : renderMove({ ref, from, to });
}

/** What an earlier process kept. */
export function readBegun(saved: unknown): BegunCommit[] {
  return listOf(saved)
    .slice(0, MAX_BEGUN)
    .map((each) => {
      const { unit, ...rest } = recordOf(each);
      const text = (name: keyof BegunCommit): string => textOf(rest[name]) ?? "";
      const unstaged = listOf(rest["unstaged"]).flatMap((path) => textOf(path) ?? []);
      const group = Number.isSafeInteger(rest["group"]) ? Number(rest["group"]) : null;
      const [what, by, worktree] = [text("what"), text("by"), text("worktree")];
      const [branch, from, tree] = [text("branch"), text("from"), text("tree")];
      return { unit: textOf(unit) ?? null, what, by, worktree, branch, from, tree, unstaged, group };
    });
}

/** Empty where none is checked out. */
function branchOf(worktree: string): string {
  const head = lookAtHead(worktree) ?? "";
  return COMMIT.test(head) ? "" : head;
}
