import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Brought } from "./bring.ts";
import { addWorktree, type Lane } from "./lane.ts";
import { askGit, failed, rowsOf } from "./run-git.ts";
import { commitTree, inStore, type LaneStore } from "./store.ts";

/** A lane with all of its work on its branch. */
export interface RecordedLane {
  readonly lane: Lane;
  readonly commit: string;
}

/** What the user's tree and the lanes come to, or what stands against it. */
export type Merged = {
  /** All of it; of a conflict up to this lane, with both sides where they meet: that is for a person, and never lands. */
  readonly tree: string;
  /** The same without the last of them. */
  readonly before: string;
} & (
  | { readonly kind: "merged" }
  | { readonly kind: "conflict"; readonly lane: Lane; readonly files: readonly string[] }
);

/**
 * Merges lanes into a tree one after the other, three-way, each against the tree that it began with.
 * @param ours the user's tree as it is now
 */
export async function mergeLanes(
  store: LaneStore,
  ours: string,
  lanes: readonly RecordedLane[],
): Promise<Merged> {
  let [tree, before] = [ours, ours];
  for (const { lane, commit } of lanes) {
    const mine = await commitTree(store, tree, lane.base);
    const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", mine, commit];
    const { code, text, words } = await askGit(inStore(store), args);
    const [merged = "", ...files] = rowsOf(text);
    if (code !== 0 && code !== 1) throw failed(`git merge-tree failed: ${words}`);
    [tree, before] = [merged, tree];
    if (code === 1) return { kind: "conflict", lane, tree, before, files: [...new Set(files)] };
  }
  return { kind: "merged", tree, before };
}

/** Runs something on a tree in a place that is thrown away. */
export async function onTree(
  store: LaneStore,
  tree: string,
  brought: Brought | undefined,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = join(store.folder, `tried-${process.pid}`);
  const clear = async (): Promise<void> => rm(folder, { recursive: true, force: true });
  await clear();
  try {
    await addWorktree(store, folder, brought, "--detach", folder, await commitTree(store, tree, null));
    await work(folder);
  } finally {
    await clear();
  }
}
