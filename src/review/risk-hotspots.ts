import { TEST_PATH } from "../lib/test-path.ts";
import type { DiffFile } from "../vcs/unified-diff.ts";

/** What a diff itself shows: much changed at once, a file is gone, one that nobody can read, a test asks for less. */
type RiskKind = "large" | "deleted" | "binary" | "tests";

/** A changed file that deserves a second look, and what in it says so. */
export interface RiskHotspot {
  path: string;
  kinds: RiskKind[];
  /** Up to three lines that a test has lost, as `line: text`. */
  evidence: string[];
}

/** Lines added and removed from here on are many. */
const LARGE = 150;
const MAX_EVIDENCE = 3;

/** Finds the hotspots of a diff, those with the most kinds of risk first, then the largest. */
export function findRiskHotspots(files: readonly DiffFile[]): RiskHotspot[] {
  const sizeOf = ({ added, removed }: DiffFile): number => added + removed;
  return files
    .toSorted((a, b) => sizeOf(b) - sizeOf(a) || (a.path < b.path ? -1 : 1))
    .map((file): RiskHotspot => {
      const gone = TEST_PATH.test(file.path) ? linesGone(file) : [];
      const kinds = [
        ...(sizeOf(file) >= LARGE ? ["large" as const] : []),
        ...(file.status === "deleted" || file.status === "binary" ? [file.status] : []),
        ...(gone.length > 0 ? ["tests" as const] : []),
      ];
      return { path: file.path, kinds, evidence: gone.slice(0, MAX_EVIDENCE) };
    })
    .filter(({ kinds }) => kinds.length > 0)
    .toSorted((a, b) => b.kinds.length - a.kinds.length);
}

/** Removed lines that do not stand elsewhere in the file now. */
function linesGone({ hunks }: DiffFile): string[] {
  const lines = hunks.flatMap((hunk) => hunk.lines);
  const now = new Set(lines.flatMap(({ kind, text }) => (kind === "removed" ? [] : [text.trim()])));
  const gone = lines.filter(
    ({ kind, text }) => kind === "removed" && text.trim() !== "" && !now.has(text.trim()),
  );
  return gone.map(({ line, text }) => `${line}: gone: ${text.trim().slice(0, 100)}`);
}
