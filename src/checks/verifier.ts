import { type ConfigProblem, mayConcern, renderProblem } from "../config/problem.ts";
import {
  type DefinitionOfDone,
  definitionOfDone,
  type WrittenDefinition,
} from "../config/definition-of-done.ts";
import type { Power } from "../trust/power.ts";
import { renderUntrusted } from "../trust/render.ts";
import { MAX_CHANGED_FILES } from "../snapshot/vcs.ts";
import {
  type AdoptedDefinition,
  type LoadedDefinition,
  loadDefinitionOfDone,
} from "./definition-of-done/load.ts";
import { renderSummaryLine } from "./definition-of-done/render.ts";
import { knownFailures, type DefinitionOfDoneReport } from "./definition-of-done/report.ts";
import { proveDefinitionOfDone, redChecks, runDefinitionOfDone } from "./definition-of-done/run.ts";
import { type CheckSuggestion, suggestChecks } from "./definition-of-done/suggest.ts";
import {
  isDocumentationOnly,
  type AfterChecks,
  countAttempt,
  decideAfterChecks,
  isProof,
  NO_ATTEMPT,
} from "./completion.ts";
import { checkClaim, type JudgedClaim, judgeClaim } from "./evidence/claims.ts";
import type { Baseline } from "./evidence/evidence.ts";
import type { ChangedCheck } from "./evidence/own-files.ts";
import { keyOf, type Runner } from "./evidence/runner.ts";

export type Verification =
  /** Nothing is configured; `suggestions` are commands found in the project, never run unasked. */
  | { kind: "none"; suggestions: readonly string[] }
  /** What is configured cannot be used, so nothing is proven. */
  | { kind: "broken"; problem: string }
  /** `tree`: fingerprint of the files that it is about; null where it could not be taken. */
  | { kind: "ran"; report: DefinitionOfDoneReport; next: AfterChecks; tree: string | null };

/** Whether the files as they are now are proven; `unconfigured` where the project has no Definition of Done. */
export type ProofStanding = "passed" | "failed" | "stale" | "never" | "unconfigured";

export interface VerifyOptions {
  readonly scope?: string | undefined;
  /** Only what GAIA asks for is an attempt of its own; the user may look as often as they like. */
  readonly by: "gaia" | "user";
  readonly signal: AbortSignal;
  /** Nothing may be changed now. */
  readonly isLocked?: boolean;
  /** The work unit that is proven by it; without one the evidence lives as long as the process. */
  readonly unit?: string | null;
  /** Repeats also what is proven for the files as they are now. */
  readonly force?: boolean;
}

export interface VerifierInput {
  readonly adopted: AdoptedDefinition;
  /** Problems of the configuration: a definition that was dropped as wrong must not pass as "none". */
  readonly problems: readonly ConfigProblem[];
  /** What of a definition the user has not said yes to; nothing of it runs then (SPEC 2.10). Asked before each run. */
  untrusted(definition: DefinitionOfDone, source: string): Promise<readonly Power[]>;
}

/** Runs the project's Definition of Done (SPEC 11). */
export type Verifier = ReturnType<typeof createVerifier>;
/** What the checks have proven for one conversation. */
export type Proofs = ReturnType<Verifier["open"]>;

export function createVerifier(runner: Runner, { adopted, problems, untrusted }: VerifierInput) {
  const { directory, vcs, clock, ledger, pins } = runner;
  let last: {
    readonly at: number;
    readonly summary: string;
    readonly passed: boolean;
    /** What fails as it did before the work. */
    readonly known: readonly string[];
  } | null = null;

  const load = async (): Promise<LoadedDefinition | null> => {
    const isSaid = adopted.definition !== undefined;
    const dropped = problems.find((problem) => mayConcern(problem, "definitionOfDone", isSaid));
    if (dropped !== undefined)
      return { kind: "broken", problem: `${renderProblem(dropped)} Correct it first.` };
    const loaded = await loadDefinitionOfDone(directory, adopted.definition);
    if (loaded?.kind !== "found") return loaded;
    const powers = await untrusted(loaded.definition, loaded.source);
    return powers.length === 0 ? loaded : { kind: "broken", problem: renderUntrusted(powers) };
  };
  // Nothing of a definition runs that the user has not said yes to.
  const factsOf = ({ signal, isLocked = false }: Pick<VerifyOptions, "signal" | "isLocked">) => ({
    signal,
    isLocked,
    isByPerson: true,
  });
  const definition = async (): Promise<DefinitionOfDone | null> => {
    const loaded = await load();
    return loaded?.kind === "found" ? loaded.definition : null;
  };
  const checksNow = async () => (await definition())?.checks ?? [];

  const open = () => {
    let attempts = NO_ATTEMPT;
    let base: string | null = null;
    let proof: { readonly passed: boolean; readonly tree: string | null } | null = null;

    /** `doc` when the work since it began is documentation and nothing else; `full` also where that cannot be told. */
    const scopeOfWork = async (signal: AbortSignal): Promise<"full" | "doc"> => {
      if (base === null) return "full";
      const since = await vcs.changesSince(base, signal);
      const isWhole = since.known && since.base === base && since.files.length < MAX_CHANGED_FILES;
      return isWhole && isDocumentationOnly(since.files.map(({ path }) => path)) ? "doc" : "full";
    };

    return {
      scopeOfWork,
      /** A wave begins: what is changed from here on is its work. */
      async begin(): Promise<void> {
        base = await vcs.baseRevision();
      },
      /** Whether the files as they are now are proven, for a revision. */
      async standing(signal: AbortSignal): Promise<ProofStanding> {
        const loaded = await load();
        if (loaded === null) return "unconfigured";
        if (loaded.kind === "broken" || proof?.passed === false) return "failed";
        const now = await vcs.fingerprint(signal);
        if (proof === null) return "never";
        return now !== null && now === proof.tree ? "passed" : "stale";
      },
      async verify({
        by,
        scope,
        unit = null,
        force = false,
        ...given
      }: VerifyOptions): Promise<Verification> {
        const { signal } = given;
        const loaded = await load();
        if (loaded === null) {
          const found = await suggestChecks(directory);
          return { kind: "none", suggestions: found.map(({ command }) => command) };
        }
        if (loaded.kind === "broken") return loaded;
        const asked = { definition: loaded.definition, scope, unit, force, facts: factsOf(given) };
        const { report, before, tree } = await proveDefinitionOfDone(runner, asked);
        if (!report.cancelled) {
          // A pass always counts; a failure only where GAIA asked.
          if (report.passed) attempts = NO_ATTEMPT;
          else if (by === "gaia")
            attempts = countAttempt(attempts, { before, after: await vcs.fingerprint(signal) });
          last = {
            at: clock.now(),
            summary: renderSummaryLine(report),
            passed: report.passed,
            known: knownFailures(report),
          };
          const documentation = report.scope === "doc" && (await scopeOfWork(signal)) === "doc";
          // A pass that proves only a part says nothing about the rest, and takes nothing back.
          if (!report.passed || isProof(report, documentation)) proof = { passed: report.passed, tree };
        }
        const next = decideAfterChecks(report, by === "gaia" ? attempts : NO_ATTEMPT);
        return { kind: "ran", report, next, tree };
      },
      /**
       * Runs the checks once before the first change of a unit, so that what fails then is not held against it; no attempt of
       * anyone's. Null where nothing is configured, it cannot run, or it was cancelled.
       */
      async baseline(
        unit: string | null,
        given: Pick<VerifyOptions, "signal" | "isLocked">,
      ): Promise<(Baseline & { readonly green: readonly string[] }) | null> {
        const found = await definition();
        if (found === null) return null;
        const asked = { definition: found, unit, facts: factsOf(given) };
        const { report } = await runDefinitionOfDone(runner, asked);
        if (report.cancelled) return null;
        const red = redChecks(report, found.checks);
        const green = found.checks.map(keyOf).filter((key) => !red.some((each) => each.key === key));
        return { red, green };
      },
      /** Notes the checks' own files, before anyone changes them. */
      async pin(unit: string | null): Promise<void> {
        await pins.pin(unit, await checksNow());
      },
      /** Checks whose own files are not what they were when the work of this unit began. */
      changedChecks: async (unit: string | null): Promise<readonly ChangedCheck[]> =>
        pins.listChanged(unit, await checksNow()),
      async acceptChecks(unit: string | null): Promise<void> {
        await pins.accept(unit, await checksNow());
      },
      /** What was tried before no longer counts against the work. */
      forgetAttempts(): void {
        attempts = NO_ATTEMPT;
      },
    };
  };

  return {
    open,
    ledger,
    /** The newest run of this process, in one line; a cancelled one does not count. `at` is in milliseconds. */
    last: () => last,
    /** The definition that holds; null where none does. */
    definition,
    commands: async (): Promise<readonly string[]> => (await checksNow()).map(({ command }) => command),
    /** The checks of the definition as claims, held against what was seen of them for a unit; runs nothing. */
    async judged(unit: string | null): Promise<readonly JudgedClaim[]> {
      const checks = await checksNow();
      const tree = checks.length === 0 ? null : await vcs.fingerprint();
      const { baseline } = await ledger.of(unit);
      const judged = checks.map(async (check) => {
        const { id, command } = check;
        const red = baseline?.red.find(({ key }) => key === keyOf(check));
        const before = baseline === null ? null : (red ?? { status: "passed" as const });
        const known = await runner.known(unit, check, before);
        return judgeClaim(checkClaim(`check ${id}`, command, id), known, tree);
      });
      return Promise.all(judged);
    },
    /** Checks that the project seems to have; null where a definition is configured, even a broken one. */
    suggest: async (): Promise<readonly CheckSuggestion[] | null> =>
      (await load()) === null ? suggestChecks(directory) : null,
    /** Takes a definition that was configured just now, without a restart. */
    adopt(written: WrittenDefinition): void {
      adopted.definition = definitionOfDone().parse(written);
    },
  };
}
