import { type Repository, runGit, runVcs } from "./git.ts";
import { parseUnifiedDiff } from "./unified-diff.ts";

/** A file that differs from the base. */
export interface DeliveredFile {
  /** Relative to the project. */
  readonly path: string;
  readonly added: number;
  readonly removed: number;
}

/** What was changed since a revision. */
export interface Delivered {
  readonly files: readonly DeliveredFile[];
  /** The revision that it was compared with; null when only uncommitted changes could be told. */
  readonly base: string | null;
  /** False where there is no version control, or it did not answer. */
  readonly known: boolean;
}

/** Where to look. */
export interface DeliveredTree extends Repository {
  readonly vcs: "jj" | "git" | "none";
}

const MAX_BYTES = 2_000_000;
/** More files than this are not listed. */
export const MAX_DELIVERED = 1_000;
const OWN = ["--", ".", ":(exclude,top,glob)**/.gaia/**"] as const;

/** The revision that the project is at, without what is not committed; null where none can be told. Never throws. */
export async function readBase(tree: DeliveredTree): Promise<string | null> {
  if (tree.vcs === "none") return null;
  const template = [
    "log",
    "--ignore-working-copy",
    "-r",
    "@-",
    "--no-graph",
    "--limit",
    "1",
    "-T",
    "commit_id",
  ];
  const run =
    tree.vcs === "jj"
      ? await runVcs(tree, ["jj", "--no-pager", ...template], 1_000)
      : await runGit(tree, ["rev-parse", "--verify", "HEAD"], 1_000);
  return (run.ok && /^[0-9a-f]{7,64}/.exec(run.text.trim())?.[0]) || null;
}

/** The files that differ from `base` now, committed since or not, the record left out. Never throws. */
export async function readDelivered(tree: DeliveredTree, base: string | null): Promise<Delivered> {
  if (tree.vcs === "none") return { files: [], base: null, known: false };
  const since = await compare(tree, base);
  // A base that was rewritten away tells nothing any more.
  const found = since ?? (base === null ? null : await compare(tree, null));
  if (found === null) return { files: [], base: null, known: false };
  return { files: found.slice(0, MAX_DELIVERED), base: since === null ? null : base, known: true };
}

async function compare(tree: DeliveredTree, base: string | null): Promise<DeliveredFile[] | null> {
  if (tree.vcs === "jj") {
    const from = base === null ? [] : ["--from", base];
    const run = await runVcs(
      tree,
      ["jj", "--no-pager", "diff", "--git", "--color", "never", ...from],
      MAX_BYTES,
    );
    if (!run.ok) return null;
    return parseUnifiedDiff(run.text)
      .filter(({ path }) => !/(?:^|\/)\.gaia\//.test(path))
      .map(({ path, added, removed }) => ({ path, added, removed }));
  }
  const [changed, others] = await Promise.all([
    runGit(
      tree,
      ["diff", "--numstat", "--no-renames", "--relative", "-z", base ?? "HEAD", ...OWN],
      MAX_BYTES,
    ),
    runGit(tree, ["ls-files", "--others", "--exclude-standard", "-z", ...OWN], MAX_BYTES),
  ]);
  if (!others.ok || (!changed.ok && base !== null)) return null;
  const counted = changed.text.split("\0").flatMap((row) => {
    const [, added, removed, path = ""] = /^(\d+|-)\t(\d+|-)\t(.+)$/s.exec(row) ?? [];
    // Git counts no lines of a binary file.
    return path === "" ? [] : [{ path, added: Number(added) || 0, removed: Number(removed) || 0 }];
  });
  const fresh = others.text.split("\0").filter(Boolean);
  return [...counted, ...fresh.map((path) => ({ path, added: 0, removed: 0 }))];
}
