import { type Claim, type JudgedClaim, unproven } from "../../checks/evidence/claims.ts";
import type { ArchivedPlan } from "../../checks/evidence/plan-evidence.ts";
import { renderEvidence } from "../../checks/evidence/render.ts";
import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import { hasApprovedWave } from "../collaboration/state.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** How long looking at where a plan stands may take beside a turn, in milliseconds. */
const LIMIT_MS = 10_000;

/** Where the plans of a conversation stand: what the host has shown of them, and what is only said (SPEC 2.9). */
export interface Evidence extends Part {
  /** Where a unit's plan stands, nothing run; never rejects, and is empty where it cannot be told. */
  standing(unit: string | null, archived?: ArchivedPlan): Promise<readonly JudgedClaim[]>;
  /** The user has just been shown this, which is not said once more. */
  shown(unit: string, claims: readonly JudgedClaim[]): void;
  /** Has the host run the commands of the wanted claims, and shows where the plan stands with the next check-in. */
  prove(
    unit: string,
    wanted: (claim: Claim) => boolean,
    signal: AbortSignal,
    /** Whether the wanted ones are judged as if they were ticked. */
    claims?: boolean,
  ): Promise<readonly JudgedClaim[]>;
  /** The end of what a claim's command said when it last ran; empty where it did not. */
  output(claim: Claim): string;
  /** The user wants a unit complete with what is not proven of it. */
  accept(unit: string, claims: readonly JudgedClaim[]): void;
  /** Whether they do, with no more than that. */
  isAccepted(unit: string, claims: readonly JudgedClaim[]): boolean;
}

export function createEvidence(
  conversation: ConversationCore,
  { host, clock, treeOf, workspace }: ConversationServices,
): Evidence {
  const accepted = new Map<string, ReadonlySet<string>>();
  let told = "";

  const standing: Evidence["standing"] = async (unit, archived) => {
    if (unit === null) return [];
    try {
      return await bounded(
        treeOf(unit).planEvidence.standing(unit, undefined, archived),
        LIMIT_MS,
        clock,
        "where the plan stands",
      );
    } catch (error) {
      host.logger.log("debug", "evidence", describeError(error), { unit });
      return [];
    }
  };
  const noteOf = (unit: string | null, claims: readonly JudgedClaim[]): string => {
    const line = renderEvidence(claims);
    return line === "" ? "" : `Evidence of ${unit}: ${line}`;
  };
  /** The last word of a turn that moved something, for the user alone: no model reads or pays for it. */
  const tell = async (): Promise<void> => {
    const unit = conversation.state.workUnit;
    const text = noteOf(unit, await standing(unit));
    if (text === told) return;
    told = text;
    if (text === "") return;
    conversation.outbox.note(text);
    await conversation.outbox.flush();
  };

  return {
    standing,
    shown(unit, claims) {
      told = noteOf(unit, claims);
    },
    output: (claim) => treeOf(conversation.state.workUnit).planEvidence.output(claim),
    async prove(unit, wanted, signal, isClaimed = false) {
      const plan = await workspace.planStanding({ slug: unit });
      const { state } = conversation;
      const isApproved = plan.ok && plan.standing === "approved";
      const judged = await treeOf(unit).planEvidence.prove(unit, wanted, {
        signal,
        claims: isClaimed,
        isLocked: state.knobs.mode === "locked",
        isCovered: state.knobs.mode === "autopilot" || hasApprovedWave(state) || isApproved,
      });
      conversation.dispatch({ type: "evidence-judged", line: renderEvidence(judged) });
      return judged;
    },
    accept(unit, claims) {
      accepted.set(unit, new Set(unproven(claims).map(({ id }) => id)));
    },
    isAccepted(unit, claims) {
      const known = accepted.get(unit);
      return unproven(claims).every(({ id }) => known?.has(id) === true);
    },
    observe(event, isRoot) {
      if (!isRoot || event.type !== "session.status" || event.status !== "idle") return;
      tell().catch((error: unknown) => {
        host.logger.log("debug", "evidence", describeError(error));
      });
    },
  };
}
