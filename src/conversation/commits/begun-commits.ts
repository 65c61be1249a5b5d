import { excerpt } from "../../lib/excerpt.ts";
import { listOf, recordOf, textOf } from "../../lib/json.ts";
import { lookAtCommit, lookAtHead } from "../../vcs/refs/look.ts";
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
}

/** More of them at once are not kept. */
const MAX_BEGUN = 4;
const MAX_TEXT = 500;
const COMMIT = /^[0-9a-f]{40,64}$/u;

/** A call that is about to record something. */
export function beginCommit(
  call: Pick<BegunCommit, "unit" | "what" | "by" | "worktree"> & { readonly tree: string | null },
): BegunCommit {
  const { worktree, what, tree } = call;
  const from = lookAtCommit(worktree) ?? "";
  return { ...call, what: excerpt(what, MAX_TEXT), branch: branchOf(worktree), from, tree: tree ?? "" };
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
      const [what, by, worktree] = [text("what"), text("by"), text("worktree")];
      const [branch, from, tree] = [text("branch"), text("from"), text("tree")];
      return { unit: textOf(unit) ?? null, what, by, worktree, branch, from, tree };
    });
}

/** Empty where none is checked out. */
function branchOf(worktree: string): string {
  const head = lookAtHead(worktree) ?? "";
  return COMMIT.test(head) ? "" : head;
}
