/**
 * What a command is to one who may run nothing but checks. `unknown`: nobody can tell from its text. `writes`: it changes
 * more than outputs and caches, or something that is not this project's.
 */
export type Verdict =
  | { readonly kind: "check" }
  | { readonly kind: "unknown" }
  | { readonly kind: "writes"; readonly does: string; readonly command?: string; readonly by?: string };

export const CHECK: Verdict = { kind: "check" };
export const UNKNOWN: Verdict = { kind: "unknown" };

/** @param does what it does, as a verb with its object */
export function writes(does: string): Verdict {
  return { kind: "writes", does };
}

/** The verdict with the command it is about, and the one by which that is run. */
export function about(verdict: Verdict, command: string): Verdict {
  if (verdict.kind !== "writes" || verdict.command === command) return verdict;
  return verdict.command === undefined ? { ...verdict, command } : { ...verdict, by: command };
}

/** What a command does that makes it no check, in words for a person; null for every other verdict. */
export function whyNoCheck(verdict: Verdict): string | null {
  if (verdict.kind !== "writes") return null;
  const { does, command, by } = verdict;
  if (command === undefined) return `it ${does}`;
  return by === undefined ? `\`${command}\` ${does}` : `\`${by}\` runs \`${command}\`, which ${does}`;
}

const RANK: Record<Verdict["kind"], number> = { check: 0, unknown: 1, writes: 2 };

/** The worst of several; of equals the first. */
export function worstOf(verdicts: Iterable<Verdict>): Verdict {
  let worst = CHECK;
  for (const verdict of verdicts) if (RANK[verdict.kind] > RANK[worst.kind]) worst = verdict;
  return worst;
}
