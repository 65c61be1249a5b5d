import { posix } from "node:path";
import { askGit } from "../../process/git.ts";
import { findRepository, lookAtCommit, lookAtRefs, type Refs } from "../../vcs/refs/look.ts";
import { GAIA_FOLDER } from "../gaia-path.ts";

export const KNOWLEDGE_FOLDER = "knowledge";
export const PATTERNS = "patterns.md";
const MAX_BYTES = 2_000_000;
/** Moves of one call that are looked at. */
const MAX_MOVED = 20;
const COMMIT = /^[0-9a-f]{40,64}$/;
const ROW = /^\d+ blob ([0-9a-f]{40,64})\t\.gaia\/(.+)\.md$/;

/** What people have committed, as far as it is known to be people's. */
export interface Committed {
  /** Notes where the history is. What comes while an agent's call runs may be the agent's. @returns where people's part ends */
  mark(): string | null;
  /** The same, and while no call runs that may be an agent's, where the history is now, the one who went there. */
  now(): string | null;
  /** A call of an agent's runs until the result is called, with whether it came to run: if not, its user worked meanwhile. */
  begins(): (ran: boolean) => void;
  doubt(): void;
  /** The names that git has for the entries' files at that commit, by their slugs, and for what was curated; empty where there is none. */
  before(): Promise<ReadonlyMap<string, string>>;
  head(): string | null;
  /** @returns what tells which commits HEAD, branches and tags have moved to since, that none of them nor a remote held before */
  look(): () => Promise<{ readonly added: readonly string[]; readonly from: string | null }>;
  /** The names that git has for all of that in these commits. */
  held(commits: readonly (string | null)[]): Promise<ReadonlySet<string>>;
  /** The same, without what was there before. @param from the commit that these were made on, no matter whose */
  since(commits: readonly string[], from: string | null): Promise<readonly string[]>;
}

export interface CommittedPlace {
  readonly worktree: string;
  readonly directory: string;
  /** Whether all that agents do is seen here; else what was there at first is all that counts. */
  readonly follows: boolean;
}

export function createCommitted({ worktree, directory, follows }: CommittedPlace): Committed {
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
  const held: Committed["held"] = async (commits) => {
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
  const atFirst: Committed["before"] = async () => {
    const commit = mark();
    before ??= commit === null ? Promise.resolve(new Map()) : listed(commit);
    return before;
  };

  return {
    mark,
    begins() {
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
    doubt() {
      mark();
      isDoubted = true;
    },
    now: () => (isDoubted || running.size > 0 ? mark() : headOf(worktree)),
    before: atFirst,
    head: () => headOf(worktree),
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
    held,
    async since(commits, from) {
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
