import type { Clock } from "../../lib/clock.ts";
import { NO_FILE, isSame } from "../../vcs/tree/state.ts";
import { diffTexts, type Versions } from "../../vcs/text-diff.ts";
import type { ReviewedWork } from "../../review/reviewer-briefs.ts";
import type { Standing, WorkWatch } from "./work-watch.ts";

/** Files of both whose lines are told apart; of the others all uncommitted lines are shown. */
const MAX_MIXED = 40;

/**
 * What of the uncommitted changes is GAIA's work, for its reviewers; null where none of it is, so that all of it is what is
 * looked at. In a file of both, what the user had changed before is left out.
 */
export async function readWork(
  { work, users, ledger, tree }: Standing,
  reader: NonNullable<WorkWatch["reader"]>,
  clock: Clock,
): Promise<ReviewedWork | null> {
  if (work.length === 0) return null;
  const leftOut = users.filter(({ isMixed }) => !isMixed).map(({ path }) => path);
  const mixed: Versions[] = [];
  for (const path of work) {
    const entry = ledger.get(path);
    if (entry === undefined || entry.wasClean || mixed.length >= MAX_MIXED) continue;
    const now = tree.dirty.get(path)?.now ?? NO_FILE;
    const isNew = isSame(entry.before, NO_FILE);
    const before = isNew ? Buffer.alloc(0) : await reader.bytes(path, entry.before);
    const after = isSame(now, NO_FILE) ? Buffer.alloc(0) : await reader.bytes(path, now);
    if (before !== null && after !== null) mixed.push({ path, before, after });
  }
  const shared = [...ledger].filter(([, { isShared }]) => isShared).map(([path]) => path);
  const also = shared.filter((path) => work.includes(path));
  return {
    paths: work.filter((path) => !mixed.some((file) => file.path === path)),
    diffs: (await diffTexts(mixed, clock)).join(""),
    leftOut,
    also,
  };
}
