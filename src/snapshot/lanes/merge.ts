import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Brought } from "./bring.ts";
import { addWorktree, type Lane } from "./lane.ts";
import { nulRows } from "../version.ts";
import { askLaneGit, failed } from "./run-git.ts";
import { clearFolder, commitTree, inStore, LEFT, type LaneStore } from "./store.ts";
import { isProcessAlive } from "../../lib/is-process-alive.ts";

export interface RecordedLane {
  readonly lane: Lane;
  readonly commit: string;
}

/** What the user's tree and the lanes come to, or what stands against it. */
export type Merged = {
  /** All of it; of a conflict up to this lane, with both sides where they meet: that is for a person, and never lands. */
  readonly tree: string;
} & (
  | { readonly kind: "merged" }
  | { readonly kind: "conflict"; readonly lane: Lane; readonly files: readonly string[] }
);

/** Merges lanes into a tree one after the other, three-way, each against the tree that it began with. @param ours the user's tree as it is now */
export async function mergeLanes(
  store: LaneStore,
  ours: string,
  lanes: readonly RecordedLane[],
): Promise<Merged> {
  let tree = ours;
  for (const { lane, commit } of lanes) {
    // Of the user's history a part may be thrown away: git finds the state before both without one.
    const base = await commitTree(store, `${lane.base}^{tree}`, null);
    const mine = await commitTree(store, tree, base);
    const { merged, files } = await mergeTrees(
      store,
      mine,
      await commitTree(store, `${commit}^{tree}`, base),
    );
    tree = merged;
    if (files !== null) return { kind: "conflict", lane, tree, files };
  }
  return { kind: "merged", tree };
}

async function mergeTrees(store: LaneStore, mine: string, theirs: string) {
  const args = ["merge-tree", "--write-tree", "-z", "--name-only", "--no-messages", mine, theirs];
  const { code, text, words } = await askLaneGit(inStore(store), args);
  const [merged = "", ...files] = nulRows(text);
  if (code !== 0 && code !== 1) throw failed(`git merge-tree failed: ${words}`);
  return { merged, files: code === 0 ? null : [...new Set(files)] };
}

/** What a process that was killed could not throw away, and what nobody could. */
async function clearLeftOver(store: LaneStore): Promise<void> {
  const { folder } = store;
  for (const name of await readdir(folder)) {
    const [, pid] = /^tried-(\d+)$/u.exec(name) ?? [];
    if (pid !== undefined && !isProcessAlive(Number(pid))) await clearFolder(store, join(folder, name));
    if (name.startsWith(LEFT))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
  }
}

/** Checks a tree out in a place that is thrown away. */
export async function onTree(
  store: LaneStore,
  tree: string,
  brought: Brought | undefined,
  work: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = join(store.folder, `tried-${process.pid}`);
  const clear = async (): Promise<void> => clearFolder(store, folder);
  await clear();
  await clearLeftOver(store);
  try {
    await addWorktree(store, folder, brought, "--detach", folder, await commitTree(store, tree, null));
    await work(folder);
  } finally {
    await clear();
  }
}
