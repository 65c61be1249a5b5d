import { excerpt } from "../../lib/excerpt.ts";
import { parsePlan } from "../../plan/grammar.ts";
import type { Workspace } from "../../record/workspace.ts";
import { type Claim, claimsOf, isUndeclared, judgeClaim, type JudgedClaim, UNKNOWN } from "./claims.ts";
import type { EvidenceLedger } from "./ledger.ts";
import type { ChangedCheck, Pins } from "./pins.ts";
import type { Measured, Prover, RunFacts } from "./prover.ts";

export interface ArchivedPlan {
  /** Where its evidence lies now, below `.gaia`. */
  readonly place: string;
  readonly planText: string;
}

export interface ProvenPlan {
  readonly claims: readonly JudgedClaim[];
  /** What became of files that the commands changed, one sentence each. */
  readonly notes: readonly string[];
}

/** What plans say is done, held against what the host has seen (SPEC 11). */
export type PlanEvidence = ReturnType<typeof createPlanEvidence>;

export function createPlanEvidence(input: {
  readonly workspace: Pick<Workspace, "readWorkUnit">;
  readonly prover: Prover;
  readonly pins: Pins;
  readonly ledger: Pick<EvidenceLedger, "of">;
}) {
  const { workspace, prover, pins, ledger } = input;

  const read = async (unit: string): Promise<Claim[]> => {
    const found = await workspace.readWorkUnit({ slug: unit });
    return found.ok ? claimsIn(found.content.plan_md) : [];
  };
  const claimsIn = (text: string): Claim[] => {
    const plan = parsePlan(text);
    return claimsOf(plan.tasks, plan.conditions);
  };
  const measured = ({ command, wave }: Claim): Measured[] =>
    command === null ? [] : [{ command, wave: wave ?? "" }];
  const judge = async (
    unit: string,
    claims: readonly Claim[],
    signal?: AbortSignal,
  ): Promise<JudgedClaim[]> => {
    if (claims.length === 0) return [];
    const tree = await prover.tree(signal);
    return Promise.all(
      claims.map(async (claim) => {
        const [of] = measured(claim);
        return judgeClaim(claim, of === undefined ? UNKNOWN : await prover.known(unit, of), tree);
      }),
    );
  };

  return {
    /** Where everything in a plan stands, with nothing run; empty for a plan that cannot be read. */
    async standing(unit: string, signal?: AbortSignal, archived?: ArchivedPlan): Promise<JudgedClaim[]> {
      if (archived === undefined) return judge(unit, await read(unit), signal);
      await ledger.of(unit, archived.place);
      return judge(unit, claimsIn(archived.planText), signal);
    },
    /**
     * Runs the commands of the claims that are wanted, as far as they are not green, then says where all of them stand.
     * @param facts `claims`: those that are wanted are judged as if they were ticked
     */
    async prove(
      unit: string,
      wanted: (claim: Claim) => boolean,
      facts: RunFacts & { readonly claims?: boolean },
    ): Promise<ProvenPlan> {
      const claims = await read(unit);
      const commands = claims.filter(wanted).flatMap(({ command }) => command ?? []);
      const notes = await prover.prove(unit, commands, facts);
      const claimed = claims.map((claim) => (wanted(claim) ? { ...claim, isTicked: true } : claim));
      return { claims: await judge(unit, facts.claims === true ? claimed : claims, facts.signal), notes };
    },
    /**
     * Runs the commands of the claims that are wanted before the work on them begins.
     * @returns those that pass already, and so show nothing about it, in words
     */
    async measure(
      unit: string,
      wanted: (claim: Claim) => boolean,
      facts: RunFacts,
    ): Promise<readonly string[]> {
      const claims = (await read(unit)).filter(wanted);
      const green = await prover.measure(unit, claims.flatMap(measured), facts);
      const isGreen = ({ command, wave }: Claim): boolean =>
        green.some((each) => each.command === command && each.wave === (wave ?? ""));
      return claims.filter(isGreen).map(({ id, command }) => `${id} (\`${excerpt(command ?? "", 60)}\`)`);
    },
    /** The end of what a claim's command said when it last ran in this process; empty where it did not. */
    output: ({ command }: Claim): string => (command === null ? "" : prover.output(command)),
    /** Commands of a plan whose own files were changed since the work began, by nothing that the plan names. */
    async changed(unit: string): Promise<readonly ChangedCheck[]> {
      const found = await Promise.all(
        (await read(unit)).map(async (claim) => {
          const [of] = measured(claim);
          const { changed } = of === undefined ? UNKNOWN : await prover.known(unit, of);
          return changed !== null && isUndeclared(claim, changed) ? [changed] : [];
        }),
      );
      return [...new Map(found.flat().map((each) => [each.command, each])).values()];
    },
    /** Notes the own files of a plan's commands, before anyone changes them. @param again a person agreed to them as they are */
    async pin(unit: string, again = false): Promise<void> {
      const commands = (await read(unit)).flatMap(({ command }) => (command === null ? [] : { command }));
      await (again ? pins.accept(unit, commands) : pins.pin(unit, commands));
    },
  };
}
