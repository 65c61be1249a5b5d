import type { PlanEvidence } from "../checks/evidence/plan-evidence.ts";
import type { Proofs, Verifier } from "../checks/verifier.ts";
import type { Host } from "../host/port.ts";
import type { ReviewerBriefs } from "../plan/review/brief.ts";
import type { HookSandbox } from "../commit/commit.ts";
import type { Vcs } from "../snapshot/vcs.ts";
import type { WorkWatch } from "./work-watch.ts";

/** The top of a working tree, the project in it, and where calls are made. */
export interface TreePlace extends Pick<Host, "directory" | "project" | "worktree"> {
  /** The unit whose branch it holds; null for the user's own tree. */
  readonly unit: string | null;
}

/** A working tree in which a unit's work stands, with everything that looks at it. The record is no part of it. */
export interface WorkTree {
  readonly place: TreePlace;
  readonly vcs: Vcs;
  readonly verifier: Verifier;
  readonly planEvidence: PlanEvidence;
  readonly workWatch: WorkWatch;
  readonly reviewerBriefs: ReviewerBriefs;
  /** In which hooks of the repository run at the host's commit. */
  readonly commitHooks: HookSandbox;
}

/**
 * The tree of the unit that a conversation works on, at each call: no part asks which one that is. What began in one tree ends
 * there.
 * @param first the project's own tree
 */
export function followTree(first: WorkTree, current: () => WorkTree): WorkTree {
  const opened = new Map<Verifier, Proofs>();
  const proofs = (): Proofs => {
    const { verifier } = current();
    const known = opened.get(verifier) ?? verifier.open();
    opened.set(verifier, known);
    return known;
  };
  const follow = <Key extends keyof WorkTree>(key: Key): WorkTree[Key] =>
    following<WorkTree[Key]>(first[key], () => current()[key]);
  return {
    place: follow("place"),
    vcs: follow("vcs"),
    verifier: { ...follow("verifier"), open: () => following(proofs(), proofs) },
    planEvidence: follow("planEvidence"),
    workWatch: follow("workWatch"),
    reviewerBriefs: follow("reviewerBriefs"),
    commitHooks: follow("commitHooks"),
  };
}

/** An object whose properties are those of `current()` at each use, also those of its functions that were taken once. */
function following<T extends object>(first: T, current: () => T): T {
  const find = (name: PropertyKey): unknown => Reflect.get(current(), name);
  return new Proxy(first, {
    get: (_first, name) =>
      typeof find(name) === "function"
        ? (...given: unknown[]) => (find(name) as (...given: unknown[]) => unknown)(...given)
        : find(name),
  });
}
