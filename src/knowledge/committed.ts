import type { Clock } from "../lib/clock.ts";
import { runGit } from "../vcs/git-command.ts";
import { findRepository, lookAtRefs } from "../vcs/refs/look.ts";
import { GAIA_FOLDER } from "../workspace/gaia-path.ts";

/** Below `.gaia`. */
export const KNOWLEDGE_FOLDER = "knowledge";
const MAX_BYTES = 2_000_000;
const COMMIT = /^[0-9a-f]{40,64}$/;
const ROW = /^\d+ blob ([0-9a-f]{40,64})\t(?:.*\/)?([^/]+)\.md$/;

/** What people have committed, as far as it is known to be people's. */
export interface Committed {
  /**
   * Takes note of where the history is, once: what comes into it after the first call of an agent of GAIA's may be that
   * agent's. Costs a look at a few small files.
   */
  mark(): void;
  /** The names that git has for the entries' files at that commit, by their slugs; empty where there is none. */
  before(): Promise<ReadonlyMap<string, string>>;
  /** The same of other commits, without what was there before. */
  since(commits: readonly string[]): Promise<readonly string[]>;
}

/** @param worktree holds the repository @param directory the project in it */
export function createCommitted(worktree: string, directory: string, clock: Clock): Committed {
  let marked: string | null | undefined;
  let before: Promise<ReadonlyMap<string, string>> | null = null;

  const listed = async (commit: string): Promise<ReadonlyMap<string, string>> => {
    const args = ["ls-tree", "-z", commit, "--", `${GAIA_FOLDER}/${KNOWLEDGE_FOLDER}/`];
    const { ok, text } = await runGit({ directory, clock }, args, MAX_BYTES);
    if (!ok) return new Map();
    const rows = text.split("\0").flatMap((row) => {
      const [, blob = "", slug = ""] = ROW.exec(row) ?? [];
      return slug === "" ? [] : [[slug, blob] as const];
    });
    return new Map(rows);
  };
  const mark = (): string | null => (marked ??= headOf(worktree));
  const atFirst: Committed["before"] = async () => {
    const commit = mark();
    before ??= commit === null ? Promise.resolve(new Map()) : listed(commit);
    return before;
  };

  return {
    mark,
    before: atFirst,
    async since(commits) {
      const known = new Set((await atFirst()).values());
      const found: string[] = [];
      for (const commit of new Set(commits)) {
        if (!COMMIT.test(commit)) continue;
        found.push(...(await listed(commit)).values());
      }
      return [...new Set(found)].filter((blob) => !known.has(blob));
    },
  };
}

function headOf(worktree: string): string | null {
  const repository = findRepository(worktree);
  if (repository === null) return null;
  const refs = lookAtRefs(repository);
  const head = refs.get("HEAD") ?? "";
  const commit = head.startsWith("ref: ") ? (refs.get(head.slice(5)) ?? "") : head;
  return COMMIT.test(commit) ? commit : null;
}
