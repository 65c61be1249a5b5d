import { agentName } from "../../agents/registry.ts";
import { refuse, type Refusal } from "../../lib/error.ts";
import { beginsUnasked, type WorkRules } from "../collaboration/knobs.ts";
import type { ConversationCore } from "../core.ts";
import { KEPT_IN_FORKS, type Part } from "../part.ts";
import type { StandingPlan } from "../../record/workspace.ts";

/** How often one plan is reviewed before the user decides. */
export const PLAN_REVIEWS = 2;

/** What a command holds its conversation to until it is over. */
export type Stage =
  /** Until the user approves the plan; `reviews` were asked for since the last time they said no. */
  | { readonly kind: "planning"; readonly reviews: number }
  /** A spec is written, or a change reviewed for advice, the uncommitted one or what there is since a commit: nothing is changed until the user writes again. */
  | { readonly kind: "spec" }
  | { readonly kind: "review"; readonly base: string | undefined };

export const STAGE_WORDS: Readonly<Record<Stage["kind"], string>> = {
  planning: "planning: nothing is carried out before you approve the plan · /gaia-plan --cancel leaves it",
  spec: "a spec is written: nothing else is changed before you write again",
  review: "a review for advice: nothing is changed before you write again",
};

export const PLAN_REVIEWER = agentName("reviewer");

export type PlanFacts = Pick<StandingPlan, "slug" | "status" | "standing" | "tasks">;

export const PLANNING: Stage = { kind: "planning", reviews: 0 };
/** Of how many units a conversation remembers what it wrote. */
const MAX_WRITTEN = 8;

const HELD: Readonly<Record<Stage["kind"], Refusal>> = {
  planning: refuse(
    "Refused: this is planned and not approved yet.",
    "plan_gaia request_approval with kind plan asks the user; if they drop the plan, plan_gaia set_active without slug ends the planning.",
  ),
  spec: refuse(
    "Refused: this is specified and not carried out.",
    "Finish the spec; the user says when it is planned.",
  ),
  review: refuse(
    "Refused: this is an advisory review.",
    "Report what was found; the user says what is to be changed.",
  ),
};

/** Why a specialist with whom the user speaks may change nothing now; null where it may. */
export function refuseInTalk(stage: Stage | null): string | null {
  if (stage === null) return null;
  return `Refused: ${STAGE_WORDS[stage.kind]}. Say what you would change; the user takes it back to GAIA (/back).`;
}

/** Nothing of a plan is carried out before the user has approved it as it reads, whatever a model makes of their answer (SPEC 2.8). */
export function refuseBeginning(
  stage: Stage | null,
  plan: PlanFacts | null,
  state: WorkRules | null,
): Refusal | null {
  if (stage !== null) return HELD[stage.kind];
  if (plan?.standing === "rejected" && plan.tasks.length > 0) {
    return refuse(
      `Refused: the user said no to the plan of ${plan.slug}.`,
      "Change it as they wish, then plan_gaia request_approval with kind plan; for work outside of it, set_active without slug first.",
    );
  }
  if (plan === null || (state !== null && beginsUnasked(state)) || !needsApproval(plan)) return null;
  return refuse(
    `Refused: the user has not approved the plan of ${plan.slug} as it reads now.`,
    "plan_gaia request_approval with kind plan asks; for work outside of it, set_active without slug first.",
  );
}

/** A draft without tasks is no plan yet; one that calls itself approved is text, as a repository brings it along. */
export function needsApproval({ standing, status, tasks }: PlanFacts): boolean {
  if (tasks.length === 0) return false;
  return (
    standing === "changed" || (standing === "unapproved" && (status === "draft" || status === "approved"))
  );
}

export type Planning = ReturnType<typeof createPlanning>;

interface Kept {
  readonly stage: Stage | null;
  /** By unit, the digest of what its plan was last written to be here. */
  readonly written: Readonly<Record<string, string>>;
}

export function createPlanning({ remember }: Pick<ConversationCore, "remember">) {
  const kept = remember<Kept>(KEPT_IN_FORKS, { stage: null, written: {} });
  const unified = new Set<string>();
  const stage = (): Stage | null => kept.now.stage;
  const change = (next: Stage | null): void => {
    if (next !== stage()) kept.now = { ...kept.now, stage: next };
  };
  return {
    stage,
    begin: (begun: Stage): void => change(begun),
    /** Counts a review of the plan. @returns which one it is, from 1; 0 when nothing is planned */
    countReview(): number {
      const now = stage();
      if (now?.kind !== "planning") return 0;
      const reviews = now.reviews + 1;
      change({ kind: "planning", reviews });
      return reviews;
    },
    /** Notes what this conversation wrote a unit's plan to be, by its digest, so that a text of another hand is known as such. */
    wrote(slug: string, digest: string): void {
      const others = Object.entries(kept.now.written).filter(([name]) => name !== slug);
      const written = Object.fromEntries([...others.slice(1 - MAX_WRITTEN), [slug, digest]]);
      kept.now = { ...kept.now, written };
    },
    /** The user closes a unit: what was planned was held against what was delivered. */
    unifies(slug: string): void {
      unified.add(slug);
    },
    isUnified: (slug: string): boolean => unified.has(slug),
    hasWritten: (slug: string, digest: string): boolean =>
      Object.hasOwn(kept.now.written, slug) && kept.now.written[slug] === digest,
    /** An approved plan ends the planning; the next version of a refused one is reviewed again. */
    planAnswered(isApproved: boolean): void {
      if (stage()?.kind === "planning") change(isApproved ? null : PLANNING);
    },
    userSpoke(how) {
      // Words of the user's own are what a spec and a review wait for.
      if (how === "message" && stage()?.kind !== "planning") change(null);
    },
    end: (): void => change(null),
    shown: () => ({ stage: stage()?.kind ?? null }),
  } satisfies Part & Record<string, unknown>;
}
