import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { stampsOf } from "../repository.ts";
import type { Shadow } from "../shadow.ts";
import { type Taken, takeTree as takeIn } from "../take.ts";
import { nulRows } from "../version.ts";
import { askLaneGit, askUsers, failed, MAX_BYTES, modulesOf } from "./run-git.ts";
import { commitTree, inStore, type LaneStore } from "./store.ts";

const RECORD = /(?:^|\/)\.gaia(?:\/|$)/u;

/** Files that are taken into the store. The caller lets one at a time in here. */
export interface TreeSource extends Pick<Shadow, "hasGit" | "index" | "askUsers" | "readRules"> {
  readonly folder: string;
  /** A commit that is to be there as well. */
  readonly base?: string;
}

/** What an index held and how it looked then: another process may work in it in between. */
const known = new Map<string, { readonly taken: Taken; readonly stamp: string }>();

/** Takes a folder's files down as a tree of the store, by the reader of snapshots. @throws GaiaError where that cannot be */
export async function takeDown(store: LaneStore, { folder, base, ...source }: TreeSource) {
  const { index } = source;
  /** A file that is left out, for its name is no UTF-8. */
  let unnamed: string | null = null;
  const shadow: Shadow = {
    ...source,
    project: folder,
    below: "",
    hash: store.hash,
    isNew: false,
    maxFileBytes: MAX_BYTES,
    async git(args, { input, index: other = index } = {}) {
      const env = { GIT_DIR: store.repository, GIT_WORK_TREE: folder, GIT_INDEX_FILE: other };
      const excludes = ["-c", `core.excludesFile=${store.excludes}`];
      const { code, text, bytes } = await askLaneGit({ folder, env }, [...excludes, ...args], input);
      if (text.includes("\uFFFD") && !Buffer.from(bytes.toString()).equals(bytes))
        unnamed ??= nulRows(text).find((row) => row.includes("\uFFFD")) ?? "";
      return { ok: code === 0, text, bytes };
    },
  };
  const before = known.get(index);
  const last = before?.stamp === (await stampsOf([index])) ? before.taken : null;
  let taken = await takeIn(shadow, last);
  // What was borrowed from the user's repository may be gone, and is read again.
  const wasWhole =
    taken !== null && (await isWhole(store, taken.tree, ...(base === undefined ? [] : [`${base}^{tree}`])));
  if (!wasWhole) {
    await rm(index, { force: true }).catch(() => undefined);
    taken = await takeIn(shadow, null);
  }
  if (taken === null) throw failed(`git does not take up the files of ${folder}.`);
  await saveTaken(index, taken);
  return { tree: taken.tree, wasWhole, unnamed: unnamed as string | null };
}

/** Says what an index holds, so that nothing of it is read again. */
export async function saveTaken(index: string, taken: Taken): Promise<void> {
  known.set(index, { taken, stamp: await stampsOf([index]) });
}

/** Whether all of these trees is there: what is borrowed from the user's repository may go away. */
export async function isWhole(store: LaneStore, ...trees: readonly string[]): Promise<boolean> {
  return (await askLaneGit(inStore(store), ["rev-list", "--objects", "--quiet", ...trees])).code === 0;
}

/** The user's tree at one moment, byte for byte: what git holds and what it does not ignore, committed or not. */
export type Snapshot = Awaited<ReturnType<typeof takeSnapshot>>;

/** Takes down the user's tree as it is now, as a commit of the store alone. @throws GaiaError where that is not possible */
export async function takeSnapshot(store: LaneStore) {
  const [tree, { text: head }] = await Promise.all([
    takeLaneTree(store),
    askUsers(store.top, "rev-parse", "-q", "--verify", "HEAD^{commit}"),
  ]);
  return { tree, commit: await commitTree(store, tree, head || null) };
}

export async function takeLaneTree(store: LaneStore): Promise<string> {
  const { top, from, repository, index, excludes } = store;
  const { tree } = await takeDown(store, {
    folder: top,
    hasGit: index !== null,
    index: join(repository, top === from ? "users-index" : `index-of-${basename(top)}`),
    // Where the index of a unit's worktree lies is not known: what git tracks there is asked for each time.
    readRules: async () => (top === from ? stampsOf([index ?? "", excludes]) : randomUUID()),
    async askUsers(args) {
      const { code, text, bytes } = await askUsers(top, ...args);
      const inside = args[0] === "ls-files" ? await trackedInside(top) : [];
      const paths = [...text.split("\0"), ...inside].filter((path) => !RECORD.test(path));
      return { ok: code === 0, bytes, text: paths.join("\0") };
    },
  });
  return tree;
}

/** What repositories inside track: there the rules of those around them do not count. */
async function trackedInside(top: string, below = ""): Promise<string[]> {
  const folder = join(top, below);
  const modules = await modulesOf({ folder });
  const there = modules.filter(({ path }) => existsSync(join(folder, path, ".git")));
  const inner = await Promise.all(there.map(async ({ path }) => trackedInside(top, `${below}${path}/`)));
  const files = below === "" ? [] : nulRows((await askUsers(folder, "ls-files", "-z")).text);
  return [...files.map((path) => below + path), ...inner.flat()];
}
