import { posix } from "node:path";
import { askGit } from "../../process/git.ts";
import { findRepository, lookAtCommit, lookAtRefs, type Refs } from "../../snapshot/refs.ts";
import { GAIA_FOLDER } from "../gaia-path.ts";

export const KNOWLEDGE_FOLDER = "knowledge";
export const PATTERNS = "patterns.md";
const MAX_BYTES = 2_000_000;
/** Moves of one call that are looked at. */
const MAX_MOVED = 20;
const COMMIT = /^[0-9a-f]{40,64}$/;
const ROW = /^\d+ blob ([0-9a-f]{40,64})\t\.gaia\/(.+)\.md$/;

/** What people have committed, as far as it is known to be people's. */
export type Committed = ReturnType<typeof createCommitted>;

interface CommittedPlace {
  readonly worktree: string;
  readonly directory: string;
  /** Whether all that agents do is seen here; else what was there at first is all that counts. */
  readonly follows: boolean;
}

export function createCommitted({ worktree, directory, follows }: CommittedPlace) {
  /** The commit at which people's part ends, and the one that was seen last. */
  let marked: string | null | undefined;
  let seen: string | null = null;
  let before: Promise<ReadonlyMap<string, string>> | null = null;
  const running = new Set<object>();
  let hasRun = false;
  let isDoubted = !follows;

  const listed = async (commit: string): Promise<ReadonlyMap<string, string>> => {
    const asked = [`${KNOWLEDGE_FOLDER}/`, PATTERNS].map((path) => `${GAIA_FOLDER}/${path}`);
    const args = ["ls-tree", "-r", "-z", commit, "--", ...asked];
    const { ok, text } = await askGit({ folder: directory }, args, { maxBytes: MAX_BYTES });
    if (!ok) return new Map();
    const rows = text.split("\0").flatMap((row) => {
      const [, blob = "", path = ""] = ROW.exec(row) ?? [];
      return path === "" ? [] : [[posix.relative(KNOWLEDGE_FOLDER, path), blob] as const];
    });
    return new Map(rows);
  };
  const held = async (commits: readonly (string | null)[]): Promise<ReadonlySet<string>> => {
    const found = new Set<string>();
    for (const commit of new Set(commits)) {
      if (commit === null || !COMMIT.test(commit)) continue;
      for (const blob of (await listed(commit)).values()) found.add(blob);
    }
    return found;
  };
  const mark = (): string | null => {
    if (marked !== undefined && (isDoubted || running.size > 0)) return marked;
    const head = headOf(worktree);
    if (marked !== undefined && head === seen) return marked;
    [marked, seen, before] = [head, head, null];
    return marked;
  };
  const atFirst = async (): Promise<ReadonlyMap<string, string>> => {
    const commit = mark();
    before ??= commit === null ? Promise.resolve(new Map()) : listed(commit);
    return before;
  };

  return {
    /**
     * Notes where the history is. What comes while an agent's call runs may be the agent's. Costs a look at two small files.
     * @returns the commit at which people's part ends; null for none
     */
    mark,
    /** A call of an agent's runs until the result is called, with whether it came to run; if not, its user worked meanwhile. */
    begins(): (ran: boolean) => void {
      mark();
      const call = {};
      running.add(call);
      return (ran) => {
        if (!running.delete(call)) return;
        hasRun ||= ran;
        if (running.size > 0) return;
        if (hasRun) seen = headOf(worktree);
        hasRun = false;
      };
    },
    doubt(): void {
      mark();
      isDoubted = true;
    },
    /** As {@link mark}; while no agent's call runs, where the history is now. */
    now: (): string | null => (isDoubted || running.size > 0 ? mark() : headOf(worktree)),
    /** Git's names for entries at the commit of {@link mark}, by their slugs, and for what was curated. */
    before: atFirst,
    head: (): string | null => headOf(worktree),
    /** @returns what tells to which commits refs have moved since, that none of them nor a remote held before */
    look() {
      const from = headOf(worktree);
      const refs = refsOf(worktree);
      return async () => {
        const moved = [...refsOf(worktree)].flatMap(([ref, to]) => (refs.get(ref) === to ? [] : [to]));
        const before = [...new Set([...refs.values(), from ?? ""])].filter((id) => COMMIT.test(id));
        const added: string[] = [];
        for (const to of [...new Set([...moved, headOf(worktree) ?? ""])].slice(0, MAX_MOVED)) {
          if (!COMMIT.test(to) || before.includes(to)) continue;
          const args = ["rev-list", "--max-count=1", "--ignore-missing", to, "--not", ...before, "--remotes"];
          const { ok, text } = await askGit({ folder: directory }, args, { maxBytes: MAX_BYTES });
          if (!ok || text.trim() !== "") added.push(to);
        }
        return { added, from };
      };
    },
    /** Git's names for entries in these commits. */
    held,
    /** The same, without what was there before. @param from the commit that these were made on, no matter whose */
    async since(commits: readonly string[], from: string | null): Promise<readonly string[]> {
      const known = new Set([...(await atFirst()).values(), ...(await held([from]))]);
      return [...(await held(commits))].filter((blob) => !known.has(blob));
    },
  };
}

function refsOf(worktree: string): Refs {
  const repository = findRepository(worktree);
  return repository === null ? new Map() : lookAtRefs(repository);
}

function headOf(worktree: string): string | null {
  const commit = lookAtCommit(worktree) ?? "";
  return COMMIT.test(commit) ? commit : null;
}
