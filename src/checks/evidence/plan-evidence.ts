import type { CheckDefinition } from "../../config/definition-of-done.ts";
import { excerpt } from "../../lib/text.ts";
import { parsePlan } from "../../plan/grammar.ts";
import { excerptOutput } from "../../process/output.ts";
import type { Workspace } from "../../record/workspace.ts";
import {
  type Claim,
  claimsOf,
  describeEnding,
  isUndeclared,
  judgeClaim,
  type JudgedClaim,
  type Known,
  UNKNOWN,
} from "./claims.ts";
import { type Evidence, commandKey } from "./evidence.ts";
import type { ChangedCheck } from "./own-files.ts";
import { keyOf, type RunFacts, type Runner } from "./runner.ts";

/** One command of a plan may take as long as a check by default, and all of one request together. */
const COMMAND_SECONDS = 300;
const MAX_TOGETHER_MS = 900_000;
const MAX_CONCURRENT = 2;
/** How much of a command's output is told to the one who is to fix what it found, in characters. */
const MAX_OUTPUT = 1_500;

export interface ArchivedPlan {
  /** Where its evidence lies now, below `.gaia`. */
  readonly place: string;
  readonly planText: string;
}

export interface PlanRunFacts extends RunFacts {
  /** Why nothing of it runs: it came with the repository, and nobody has said yes to it. */
  readonly refusal?: string | null;
}

/** How a command ended; `unknown` where its end proves nothing, or it was not run, and why. */
export interface Look {
  readonly end: "passed" | "failed" | "unknown";
  readonly why: string;
}

/** What plans say is done, held against what the host has seen (SPEC 11). */
export type PlanEvidence = ReturnType<typeof createPlanEvidence>;

export function createPlanEvidence(runner: Runner, workspace: Pick<Workspace, "readWorkUnit">) {
  const { vcs, ledger, pins } = runner;
  /** Why commands did not run when they last should have. */
  const refused = new Map<string, string>();

  const claimsIn = (text: string): Claim[] => {
    const plan = parsePlan(text);
    return claimsOf(plan.tasks, plan.conditions);
  };
  const read = async (unit: string): Promise<Claim[]> => {
    const found = await workspace.readWorkUnit({ slug: unit });
    return found.ok ? claimsIn(found.content.plan_md) : [];
  };
  const checkOf = (command: string): CheckDefinition => {
    return { id: "verify", command, scope: "full", timeoutSeconds: COMMAND_SECONDS };
  };
  const known = async (unit: string | null, command: string, wave = ""): Promise<Known> => {
    const key = commandKey(command);
    const { before } = await ledger.of(unit);
    const then = before.find((each) => each.key === key && each.wave === wave) ?? null;
    return { ...(await runner.known(unit, { command }, then)), objection: refused.get(key) ?? null };
  };
  const knownOf = async (unit: string, { command, wave }: Claim): Promise<Known> =>
    command === null ? UNKNOWN : known(unit, command, wave ?? "");

  /** @param isKnown what was seen on these files and need not be seen again @returns the end of what they said, by their keys, and what is to be told, one sentence each */
  const run = async (
    unit: string | null,
    commands: readonly string[],
    isKnown: (here: Evidence) => boolean,
    facts: PlanRunFacts,
  ): Promise<{ readonly outputs: ReadonlyMap<string, string>; readonly notes: readonly string[] }> => {
    const outputs = new Map<string, string>();
    const checks = [...new Set(commands)].map(checkOf);
    const { refusal = null } = facts;
    if (refusal !== null) {
      for (const check of checks) refused.set(keyOf(check), refusal);
      return { outputs, notes: [] };
    }
    const { reports, notes } = await runner.observe(unit, checks, {
      facts,
      most: MAX_CONCURRENT,
      limitMs: MAX_TOGETHER_MS,
      isKnown(check, here) {
        const isFresh = here !== null && isKnown(here);
        // The user may have let it count since.
        if (isFresh) refused.delete(keyOf(check));
        return isFresh;
      },
      after: async () => undefined,
    });
    for (const [key, { status, detail = "", output_tail }] of reports) {
      if (status === "cancelled") continue;
      refused.delete(key);
      if (status === "error") {
        refused.set(key, detail || "it could not be started");
        continue;
      }
      const said = excerptOutput(output_tail, { maxCharacters: MAX_OUTPUT });
      if (status !== "passed") outputs.set(key, [detail, said].filter(Boolean).join("\n"));
    }
    return { outputs, notes };
  };
  const hasPassed = ({ status }: Evidence): boolean => status === "passed";
  const judge = async (
    unit: string,
    claims: readonly Claim[],
    signal?: AbortSignal,
  ): Promise<JudgedClaim[]> => {
    const tree = claims.length === 0 ? null : await vcs.fingerprint(signal);
    return Promise.all(claims.map(async (claim) => judgeClaim(claim, await knownOf(unit, claim), tree)));
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
     * @returns also what became of files that the commands changed, one sentence each
     */
    async prove(
      unit: string,
      wanted: (claim: Claim) => boolean,
      facts: PlanRunFacts & { readonly claims?: boolean },
    ): Promise<{ readonly claims: readonly JudgedClaim[]; readonly notes: readonly string[] }> {
      const claims = await read(unit);
      const commands = claims.filter(wanted).flatMap(({ command }) => command ?? []);
      const { outputs, notes } = await run(unit, commands, hasPassed, facts);
      const isClaimed = (claim: Claim): boolean => facts.claims === true && wanted(claim);
      const claimed = claims.map((claim) => (isClaimed(claim) ? { ...claim, isTicked: true } : claim));
      const judged = (await judge(unit, claimed, facts.signal)).map((claim) => {
        const output = outputs.get(commandKey(claim.command ?? ""));
        return output === undefined ? claim : { ...claim, output };
      });
      return { claims: judged, notes };
    },
    /**
     * Runs the commands of the claims that are wanted before the work of their wave, as far as that was not done.
     * @returns those that pass already, and so show nothing about it, in words
     */
    async measure(
      unit: string,
      wanted: (claim: Claim) => boolean,
      facts: PlanRunFacts,
    ): Promise<readonly string[]> {
      const { before } = await ledger.of(unit);
      const missing = (await read(unit)).filter(wanted).flatMap(({ id, command, wave: of }) => {
        const [key, wave] = [commandKey(command ?? ""), of ?? ""];
        const isDone = before.some((each) => each.key === key && each.wave === wave);
        return command === null || isDone ? [] : [{ id, command, key, wave }];
      });
      const commands = missing.map(({ command }) => command);
      await run(unit, commands, () => true, facts);
      // Red counts only where it repeats on the same files: a command may count its own runs.
      await run(unit, commands, ({ status }) => status !== "failed" && status !== "missing", facts);
      const tree = await vcs.fingerprint(facts.signal);
      const seen = await Promise.all(
        missing.map(async (each) => ({ ...each, end: await ledger.latest(unit, each.key) })),
      );
      const ends = seen.flatMap(({ end, ...each }) =>
        end !== null && tree !== null && end.tree === tree ? [{ ...each, end }] : [],
      );
      await ledger.addBefore(
        unit,
        ends.map(({ wave, end: { key, status } }) => ({ key, wave, status })),
      );
      const green = ends.filter(({ end }) => hasPassed(end));
      return green.map(({ id, command }) => `${id} (\`${excerpt(command, 60)}\`)`);
    },
    /** How a command ends on the files as they are now; it is run, as far as it may be. */
    async look(unit: string | null, command: string, facts: RunFacts): Promise<Look> {
      await pins.pin(unit, [{ command }]);
      const { changed } = await known(unit, command);
      if (changed !== null) return { end: "unknown", why: `${changed.how} since the work began` };
      await run(unit, [command], hasPassed, facts);
      const { evidence, objection } = await known(unit, command);
      if (objection !== null) return { end: "unknown", why: objection };
      const end = evidence?.status;
      if (end === "passed" || end === "failed") return { end, why: "" };
      const why = evidence === null ? "it did not run" : `it says nothing: ${describeEnding(evidence)}`;
      return { end: "unknown", why };
    },
    /** Commands of a plan whose own files were changed since the work began, by nothing that the plan names. */
    async changed(unit: string): Promise<readonly ChangedCheck[]> {
      const found = await Promise.all(
        (await read(unit)).map(async (claim) => {
          const { changed } = await knownOf(unit, claim);
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
