import type { TreeChange } from "../../vcs/tree/state.ts";

/** A call that may be changing the project right now. */
export interface RunningWriter {
  readonly callId: string;
  /** Files that it is known to write, relative to the project. */
  readonly writes: ReadonlySet<string>;
  /** Whether it may write others as well: a command, a tool that is not known. */
  readonly isOpenEnded: boolean;
}

/** Whose a change is: `one` call's; `several` calls', which cannot be told apart; `nobody`'s here, and so the user's. */
export type Credit =
  | { readonly kind: "one"; readonly callId: string }
  | { readonly kind: "several"; readonly callIds: readonly string[] }
  | { readonly kind: "nobody" };

/**
 * Who made a change that came while these calls ran: the one that names the file, else the only one that may write
 * anything. What cannot be told is credited to all of them, and to none alone.
 */
export function creditChange({ path }: Pick<TreeChange, "path">, running: readonly RunningWriter[]): Credit {
  const naming = running.filter(({ writes }) => writes.has(path));
  const candidates = naming.length > 0 ? naming : running.filter(({ isOpenEnded }) => isOpenEnded);
  const [first, ...others] = candidates.map(({ callId }) => callId);
  if (first === undefined) return { kind: "nobody" };
  return others.length === 0
    ? { kind: "one", callId: first }
    : { kind: "several", callIds: [first, ...others] };
}
