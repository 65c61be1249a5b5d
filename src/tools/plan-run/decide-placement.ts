import type { LanesConfig } from "../../config/lanes.ts";

/** Work that is about to begin: a delegation by hand, or tasks of a plan beside each other. */
export interface PlacedWork {
  /** How many of them edit. */
  readonly editing: number;
  /** It is one task that several try. */
  readonly isTried?: boolean;
  /** By hand: who, whether a worktree was asked for, and where the session works that goes on; null for a new one. */
  readonly hand?: {
    readonly agent: string;
    readonly isAsked: boolean;
    readonly resumes: "project" | "worktree" | null;
  };
}

/** As many tasks that edit get worktrees. */
const LEAST = { off: Infinity, auto: 2, always: 1 } as const;

/**
 * Where work is done: apart, in a worktree each, or in the tree of the project or of its unit, and why where worktrees were wanted.
 * @param isStepwise the user looks at each step @param ruled who edits by permissions that name paths; null for nobody
 */
export function decidePlacement(
  { editing, isTried = false, hand }: PlacedWork,
  { mode, isStepwise, ruled }: Pick<LanesConfig, "mode"> & { isStepwise: boolean; ruled: string | null },
): "apart" | { readonly why: string | null } {
  const goesOn = hand?.resumes === "worktree";
  if (hand === undefined && !isTried && editing < LEAST[mode]) return { why: null };
  if (hand !== undefined && (mode === "off" || (!hand.isAsked && !goesOn))) return { why: null };
  if (hand?.resumes === "project") return { why: "a session stays where it was begun" };
  if (hand !== undefined && editing === 0) return { why: `${hand.agent} changes nothing` };
  if (ruled !== null) return { why: `permissions of ${ruled} name paths` };
  // What candidates have made is looked at before it lands, and a worktree that is there already is gone on in.
  return isStepwise && !isTried && !goesOn ? { why: "each step is looked at" } : "apart";
}

/** Whether a unit's work stands on a branch of its own. @param isThere it does already */
export function isAtHome({ land }: Pick<LanesConfig, "land">, isThere: boolean, edits = true): boolean {
  return isThere || (land === "branch" && edits);
}
