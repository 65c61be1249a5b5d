import {
  type Claim,
  type JudgedClaim,
  unproven,
  withApprovals,
  renderEvidence,
} from "../../checks/evidence/claims.ts";
import type { ArchivedPlan, PlanRunFacts } from "../../checks/evidence/plan-evidence.ts";
import { bounded } from "../../lib/async.ts";
import { logFailure } from "../../lib/error.ts";
import { digestPlan } from "../../plan/update.ts";
import type { ConversationCore } from "../core.ts";
import type { ConversationServices } from "../services.ts";

/** How long reading the standing of a plan may take, in milliseconds. */
const LIMIT_MS = 10_000;

export type UnitClaims = ReturnType<typeof createEvidence>;

/** The standing of a conversation's plans: what the host has proven, and what is only claimed (SPEC 11). */
export function createEvidence(
  conversation: Pick<ConversationCore, "state" | "outbox" | "tell" | "dispatch">,
  { host, clock, treeOf, workspace }: Pick<ConversationServices, "host" | "clock" | "treeOf" | "workspace">,
  /** Whether this conversation wrote the plan of a unit, as its digest says. */
  isWrittenHere: (unit: string, digest: string) => boolean,
) {
  const accepted = new Map<string, ReadonlySet<string>>();

  /** A plan that came with the repository runs nothing before the user has approved it (SPEC 2.11). */
  const factsOf = async (unit: string, signal: AbortSignal): Promise<PlanRunFacts> => {
    const plan = await workspace.planStanding({ slug: unit });
    const isApproved = plan.ok && plan.standing === "approved";
    const isOwn = plan.ok && isWrittenHere(plan.slug, digestPlan(plan.plan_md));
    return {
      signal,
      isLocked: conversation.state.knobs.mode === "locked",
      isByPerson: isApproved && plan.by === "user",
      refusal: isApproved || isOwn ? null : "nobody has approved the plan as it reads",
    };
  };
  const approversOf = (unit: string): Set<string> => {
    const own = conversation.state.verdicts.filter(({ workUnit }) => workUnit === unit);
    return new Set(own.flatMap(({ verdict, reviewer }) => (verdict === "APPROVE" ? [reviewer] : [])));
  };
  return {
    /** The standing of a unit's claims, without running anything. Never rejects; empty where it is unknown. */
    async claims(unit: string | null, archived?: ArchivedPlan): Promise<readonly JudgedClaim[]> {
      if (unit === null) return [];
      const standing = treeOf(unit).planEvidence.standing(unit, undefined, archived);
      const known = bounded(standing, LIMIT_MS, clock, "where the plan stands");
      const claims = (await known.catch(logFailure(host.logger, "debug", "evidence", { unit }))) ?? [];
      return withApprovals(claims, approversOf(unit));
    },
    /** Runs the commands of the wanted claims; the next check-in shows the standing of the plan. */
    async prove(
      unit: string,
      wanted: (claim: Claim) => boolean,
      signal: AbortSignal,
      isClaimed: boolean = false,
    ): Promise<readonly JudgedClaim[]> {
      const facts = { ...(await factsOf(unit, signal)), claims: isClaimed };
      const { claims: judged, notes } = await treeOf(unit).planEvidence.prove(unit, wanted, facts);
      const claims = withApprovals(judged, approversOf(unit));
      for (const note of notes) {
        conversation.outbox.note(note);
        conversation.tell(note);
      }
      conversation.dispatch({ type: "evidence-judged", line: renderEvidence(claims) });
      return claims;
    },
    /** Runs the commands of the wanted claims before the work on them begins. @returns those that pass already, and so prove nothing about it */
    measure: async (
      unit: string,
      wanted: (claim: Claim) => boolean,
      signal: AbortSignal,
    ): Promise<readonly string[]> =>
      treeOf(unit).planEvidence.measure(unit, wanted, await factsOf(unit, signal)),
    /** A person approved the commands of a unit's plan, with the commands' own files as they are now. */
    acceptPlan: async (unit: string): Promise<void> => treeOf(unit).planEvidence.pin(unit, true),
    /** The user accepts a unit with these claims unproven. */
    accept(unit: string, claims: readonly JudgedClaim[]): void {
      accepted.set(unit, new Set(unproven(claims).map(({ id }) => id)));
    },
    /** Whether the user accepted all claims that are unproven now. */
    isAccepted(unit: string, claims: readonly JudgedClaim[]): boolean {
      const known = accepted.get(unit);
      return unproven(claims).every(({ id }) => known?.has(id) === true);
    },
  };
}
