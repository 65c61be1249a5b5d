import { keepBundle, type Lane } from "./lane.ts";
import { stand } from "./rework.ts";
import { askGit, git, rowsOf } from "./run-git.ts";
import { commitTree, inStore, type LaneStore, own } from "./store.ts";

/** How much two trees differ, by files and by lines; a binary file counts as one line. */
export interface Size {
  readonly files: number;
  readonly added: number;
  readonly removed: number;
}

/** Keeps a text as a file of no tree. @returns its id */
export async function keepText(store: LaneStore, text: string): Promise<string> {
  return git(inStore(store), ["hash-object", "-w", "--stdin"], text);
}

export async function sizeOf(store: LaneStore, from: string, to: string): Promise<Size> {
  const rows = rowsOf(await own(store, "diff-tree", "-r", "-z", "--numstat", "--no-renames", from, to));
  const sum = (at: number): number =>
    rows.reduce(
      (total, row) => total + (Number(row.split("\t")[at]) || (row.startsWith("-") ? 1 - at : 0)),
      0,
    );
  return { files: rows.length, added: sum(0), removed: sum(1) };
}

/** What was changed, as a diff of these files. */
export async function diffOf(
  store: LaneStore,
  from: string,
  to: string,
  paths: readonly string[],
): Promise<string> {
  if (paths.length === 0) return "";
  const args = ["diff-tree", "-r", "-p", "--no-renames", "--no-ext-diff", "--no-textconv", from, to, "--"];
  const { text } = await askGit(inStore(store), ["--literal-pathspecs", ...args, ...paths]);
  return text;
}

/** Has a lane that was recorded hold another tree from now on; what it held is kept in a bundle. @returns where */
export async function replaceTree(store: LaneStore, lane: Lane, tree: string): Promise<string> {
  const bundle = await keepBundle(store, lane);
  const tip = await commitTree(store, tree, lane.base);
  await stand(store, lane, { base: lane.base, tip, tree });
  return bundle;
}
