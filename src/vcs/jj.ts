import { type ProgramEnd, type Limits, runProgram } from "../process/run-program.ts";
import { openSnapshots } from "../snapshot/snapshots.ts";
import { createGit } from "./git.ts";
import { type Base, compare, showSince } from "./none.ts";
import { changesSince, type Vcs } from "./port.ts";
import { plainTrees } from "./trees.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

/** The parent of the working copy, which jj keeps as a commit of its own; the newest where it has several. */
export const PARENT = ["log", "--revisions=@-", "--no-graph", "--limit=1", "--template=commit_id"] as const;

const MAX_COUNTED = 1_000;

/** Has Jujutsu print for programs; `jj` has no filters, hooks or attributes that a repository could bring. */
export async function askJj(
  folder: string,
  args: readonly string[],
  limits: Limits = {},
): Promise<ProgramEnd> {
  const env = { ...process.env, LC_ALL: "C" };
  return runProgram({ command: ["jj", "--no-pager", "--color=never", ...args], env }, folder, limits);
}

/**
 * Jujutsu, compared as a folder without version control is: with the commit below the working copy. What neither tells git
 * answers, where both share a folder.
 */
export function createJj(directory: string, hasGit: boolean): Vcs {
  const snapshots = openSnapshots(directory);
  const git = createGit(directory, snapshots);
  const { fingerprint, isIgnored, commitsAbout } = git;
  const newest = async () => {
    const { ok, text, words } = await askJj(directory, [...PARENT, "--ignore-working-copy"]);
    return { id: (ok && /^[0-9a-f]{7,64}/.exec(text.trim())?.[0]) || null, words };
  };
  const at =
    (revision: string | null): Base =>
    async () => {
      const { id, words } = revision === null ? await newest() : { id: revision, words: "" };
      const tree = id === null ? null : await snapshots.treeOf(id);
      return tree === null ? words || `the files of ${id} are not there` : { tree };
    };
  return {
    kind: "jj",
    trees: hasGit ? git.trees : plainTrees(snapshots),
    fingerprint,
    isIgnored,
    commitsAbout,
    // Nothing is staged there: a commit takes all of it.
    uncommitted: async () => [],
    branchBase: async () => ({
      kind: "unknown",
      why: "that is told by git alone; in Jujutsu only the working copy is reviewed",
    }),
    baseRevision: async () => (await newest()).id,
    changesSince: async (base) =>
      changesSince(base, async (from) => {
        const since = await compare(directory, snapshots, at(from));
        if (typeof since === "string") return since;
        const paths = since.changes.map(({ path }) => path);
        const counted = parseUnifiedDiff((await since.patch(paths.slice(0, MAX_COUNTED))) ?? "");
        const lines = new Map(counted.map(({ path, added, removed }) => [path, { added, removed }]));
        const none = { added: 0, removed: 0 };
        return [...paths, ...since.unseen].map((path) => ({ path, ...(lines.get(path) ?? none) }));
      }),
    workingDiff: async (isSensitive, signal, only, base) =>
      showSince(await compare(directory, snapshots, at(base ?? null), signal), isSensitive, only),
  };
}
