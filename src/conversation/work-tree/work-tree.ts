import type { PlanEvidence } from "../../checks/evidence/plan-evidence.ts";
import type { Proofs, Verifier } from "../../checks/verifier.ts";
import type { Host } from "../../host/port.ts";
import type { ReviewerBriefs } from "../../plan/review/brief.ts";
import type { HookSandbox } from "../../commit/commit.ts";
import type { Vcs } from "../../snapshot/vcs.ts";
import type { WorkWatch } from "../own-work/work-watch.ts";

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
 * The tree of whatever a conversation is at, so that its features need not ask each time which one that is. What began in one
 * tree ends there.
 * @param first the project's own tree
 */
export function followTree(first: WorkTree, current: () => WorkTree): WorkTree {
  const follow = <Key extends keyof WorkTree>(key: Key): WorkTree[Key] =>
    following<WorkTree[Key]>(first[key], () => current()[key]);
  const proofsOf = (): Proofs => {
    const known = new Map<Verifier, Proofs>();
    const now = (): Proofs => {
      const { verifier } = current();
      const proofs = known.get(verifier) ?? verifier.open();
      known.set(verifier, proofs);
      return proofs;
    };
    return following(now(), now);
  };
  return {
    place: follow("place"),
    vcs: follow("vcs"),
    verifier: { ...follow("verifier"), open: proofsOf },
    planEvidence: follow("planEvidence"),
    workWatch: follow("workWatch"),
    reviewerBriefs: follow("reviewerBriefs"),
    commitHooks: follow("commitHooks"),
  };
}

/**
 * An object that is at each look what `current` gives then. Functions that were taken from it once follow as well.
 * @param first of the same kind; nothing is read from it but the names of its properties
 */
function following<T extends object>(first: T, current: () => T): T {
  return new Proxy(first, {
    get(_first, name) {
      const found: unknown = Reflect.get(current(), name);
      if (typeof found !== "function") return found;
      return (...given: unknown[]): unknown => {
        const now = current();
        const call: unknown = Reflect.get(now, name);
        return typeof call === "function" ? Reflect.apply(call, now, given) : undefined;
      };
    },
  });
}
