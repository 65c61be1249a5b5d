import type { Examination } from "../../policy/examination.ts";
import { parsePlan } from "../../workspace/documents/plan.ts";
import { readConditions } from "../../workspace/documents/plan-conditions.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import { type Claim, claimsOf, judgeClaim, type JudgedClaim } from "./claims.ts";
import { conditionCommand } from "./condition-command.ts";
import type { RunFacts } from "./decide-run.ts";
import type { Ledger } from "./ledger.ts";
import type { Pins } from "./pins.ts";
import type { Prover } from "./prover.ts";

/** The plan of a unit that was archived. */
export interface ArchivedPlan {
  /** Where its evidence lies now, below `.gaia`. */
  readonly place: string;
  readonly planText: string;
}

/** What plans say is done, held against what the host has seen (SPEC 2.9). */
export interface PlanEvidence {
  /** Where everything in a plan stands, with nothing run; empty for a plan that cannot be read. */
  standing(unit: string, signal?: AbortSignal, archived?: ArchivedPlan): Promise<JudgedClaim[]>;
  /**
   * Runs the commands of the claims that are wanted, as far as they are not proven, then says where all of them stand.
   * @param facts `claims`: those that are wanted are judged as if they were ticked
   */
  prove(
    unit: string,
    wanted: (claim: Claim) => boolean,
    facts: RunFacts & { readonly signal: AbortSignal; readonly claims?: boolean },
  ): Promise<JudgedClaim[]>;
  /** The end of what a claim's command said when it last ran in this process; empty where it did not. */
  output(claim: Claim): string;
  /** Notes what the commands of a plan come down to, before anyone changes it. */
  pin(unit: string): Promise<void>;
}

export function createPlanEvidence(input: {
  readonly workspace: Pick<Workspace, "readWorkUnit">;
  readonly prover: Prover;
  readonly pins: Pins;
  readonly ledger: Pick<Ledger, "of">;
  examine(command: string): Promise<Examination>;
}): PlanEvidence {
  const { workspace, prover, pins, ledger } = input;

  const read = async (unit: string): Promise<Claim[]> => {
    const found = await workspace.readWorkUnit({ slug: unit });
    return found.ok ? claimsIn(found.content.plan_md) : [];
  };
  const claimsIn = async (plan: string): Promise<Claim[]> => {
    const conditions = await Promise.all(
      readConditions(plan).map(async (condition) => ({
        ...condition,
        shownBy: await conditionCommand(condition.text, input.examine),
      })),
    );
    return claimsOf(parsePlan(plan).tasks, conditions);
  };
  const judge = async (
    unit: string,
    claims: readonly Claim[],
    signal?: AbortSignal,
  ): Promise<JudgedClaim[]> => {
    if (claims.length === 0) return [];
    const tree = await prover.tree(signal);
    return Promise.all(
      claims.map(async (claim) => {
        const known =
          claim.command === null
            ? { evidence: null, objection: null }
            : await prover.known(unit, claim.command);
        return judgeClaim(claim, known, tree);
      }),
    );
  };

  return {
    async standing(unit, signal, archived) {
      if (archived === undefined) return judge(unit, await read(unit), signal);
      await ledger.of(unit, archived.place);
      return judge(unit, await claimsIn(archived.planText), signal);
    },
    async prove(unit, wanted, facts) {
      const claims = await read(unit);
      const commands = claims.filter(wanted).flatMap(({ command }) => command ?? []);
      await prover.prove(unit, commands, facts);
      const claimed = claims.map((claim) => (wanted(claim) ? { ...claim, isTicked: true } : claim));
      return judge(unit, facts.claims === true ? claimed : claims, facts.signal);
    },
    output: ({ command }) => (command === null ? "" : prover.output(command)),
    async pin(unit) {
      const commands = (await read(unit)).flatMap(({ command }) => command ?? []);
      await pins.pin(
        unit,
        commands.map((command) => ({ command })),
      );
    },
  };
}
