import { join } from "node:path";
import { statAll } from "../../lib/stat-all.ts";
import type { TreeChange } from "../../vcs/tree/state.ts";

/** A call that may be changing the project right now. */
export interface RunningWriter {
  readonly callId: string;
  /** Files that it is known to write, relative to the project. */
  readonly writes: ReadonlySet<string>;
  /** Whether it may write others as well: a command, a tool that is not known. */
  readonly isOpenEnded: boolean;
  /** When it ended, as files' times are; absent while it runs. */
  readonly endedAt?: number;
}

/** Whose a change is: `one` call's; `several` calls', which cannot be told apart; `nobody`'s here, and so the user's. */
export type Credit =
  | { readonly kind: "one"; readonly callId: string }
  | { readonly kind: "several"; readonly callIds: readonly string[] }
  | { readonly kind: "nobody" };

/**
 * Who made a change that came while these calls ran: the one that names the file, else the only one that may write
 * anything. What cannot be told is credited to all of them, and to none alone.
 * @param changedAt when the file was changed last; null for one that is gone
 */
export function creditChange(
  { path }: Pick<TreeChange, "path">,
  calls: readonly RunningWriter[],
  changedAt: number | null,
): Credit {
  const running = calls.filter(({ endedAt = Infinity }) => changedAt === null || changedAt <= endedAt);
  const naming = running.filter(({ writes }) => writes.has(path));
  const candidates = naming.length > 0 ? naming : running.filter(({ isOpenEnded }) => isOpenEnded);
  const [first, ...others] = candidates.map(({ callId }) => callId);
  if (first === undefined) return { kind: "nobody" };
  return others.length === 0
    ? { kind: "one", callId: first }
    : { kind: "several", callIds: [first, ...others] };
}

/** When each file was changed last, as far as that tells whose it is: no program sets the time that the system notes. */
export async function timesOf(
  directory: string,
  calls: readonly RunningWriter[],
  changes: readonly TreeChange[],
): Promise<(path: string) => number | null> {
  const hasEnded = calls.some(({ endedAt }) => endedAt !== undefined);
  const stats = await statAll(hasEnded ? changes.map(({ path }) => join(directory, path)) : []);
  return (path) => {
    const found = stats.get(join(directory, path));
    return found === undefined ? null : Number(found.ctimeNs / 1_000_000n);
  };
}
