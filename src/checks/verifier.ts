import type { ConfigProblem } from "../config/problem.ts";
import type { Clock } from "../lib/clock.ts";
import { excerpt } from "../lib/excerpt.ts";
import type { Examination } from "../policy/examination.ts";
import {
  type DefinitionOfDone,
  definitionOfDone,
  type WrittenDefinition,
} from "../config/definition-of-done.ts";
import {
  type AdoptedDefinition,
  type LoadedDefinition,
  loadDefinitionOfDone,
} from "./definition-of-done/load.ts";
import { renderSummaryLine } from "./definition-of-done/render.ts";
import { type DefinitionOfDoneReport, failingChecks, missingArtifacts } from "./definition-of-done/report.ts";
import { type CheckSession, createCheckSession } from "./check-session.ts";
import { selectChecks } from "./definition-of-done/select.ts";
import { readProjectFolders } from "./definition-of-done/suggest/read-project.ts";
import type { CheckSuggestion } from "./definition-of-done/suggest/suggestion.ts";
import { suggestChecks } from "./definition-of-done/suggest/suggest.ts";
import { MAX_CHANGED_FILES, type Vcs } from "../snapshot/vcs.ts";
import { isDocumentationOnly } from "./documentation.ts";
import type { Power } from "../trust/power.ts";
import { renderUntrusted } from "../trust/render.ts";
import { NO_PROGRESS_YET, observeProgress, type ProgressDecision } from "./progress.ts";
import { type JudgedClaim, judgeClaim } from "./evidence/claims.ts";
import { type Baseline, commandKey } from "./evidence/evidence.ts";
import type { EvidenceLedger } from "./evidence/ledger.ts";
import type { ChangedCheck, Pins, NamedCommand } from "./evidence/pins.ts";
import { type ProvenRunOptions, redChecks, runProven, runProvenOnce } from "./evidence/proven-run.ts";
import { type HostRuns, refuseCheck } from "./host-runs.ts";
import { decideAfterChecks, isProof, type AfterChecks } from "./wave-completion.ts";

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
  /** Only what GAIA asks for is an attempt of hers; the user may look as often as they like. */
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
  readonly directory: string;
  readonly vcs: Vcs;
  readonly adopted: AdoptedDefinition;
  /** Problems of the configuration: a definition that was dropped as wrong must not pass as "none". */
  readonly problems: readonly ConfigProblem[];
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** What of a definition the user has not said yes to; nothing of it runs then (SPEC 2.10). Asked before each run. */
  untrusted(definition: DefinitionOfDone, source: string): Promise<readonly Power[]>;
  /** Gives commands their sandbox; absent where a person runs them by hand, as they are. */
  hostRuns?: HostRuns | undefined;
  /** Puts back what checks change; absent where they may. */
  readonly session?: CheckSession;
  examine(command: string): Promise<Pick<Examination, "effect" | "reason" | "secret" | "protectedTarget">>;
  readonly ledger: EvidenceLedger;
  readonly pins: Pins;
  readonly timeOfDay: Clock;
}

/** Runs the project's Definition of Done (SPEC 11). */
export interface Verifier {
  open(): Proofs;
  /** The newest run of this process, in one line; a cancelled one does not count. `at` is in milliseconds. */
  last(): { at: number; summary: string; passed: boolean } | null;
  /** Checks that the project seems to have; null where a definition is configured, even a broken one. */
  suggest(): Promise<readonly CheckSuggestion[] | null>;
  /** The definition that holds, and its commands; null and empty where none does. */
  definition(): Promise<DefinitionOfDone | null>;
  commands(): Promise<readonly string[]>;
  /** The checks of that definition as claims, held against what was seen of them for a unit. */
  judged(unit: string | null): Promise<readonly JudgedClaim[]>;
  readonly ledger: EvidenceLedger;
  /** Takes a definition that was configured just now, without a restart. */
  adopt(definition: WrittenDefinition): void;
}

export interface Proofs {
  verify(options: VerifyOptions): Promise<Verification>;
  /** A wave begins: what is changed from here on is its work. */
  begin(): Promise<void>;
  /** `doc` when the work since it began is documentation and nothing else; `full` also where that cannot be told. */
  scopeOfWork(signal: AbortSignal): Promise<"full" | "doc">;
  /** Whether the files as they are now are proven, for a revision. */
  standing(signal: AbortSignal): Promise<ProofStanding>;
  /**
   * Runs the checks once before the first change of a unit, so that what fails then is not held against it; no attempt of
   * anyone's. Null where nothing is configured, it cannot run, or it was cancelled.
   */
  baseline(
    unit: string | null,
    options: Pick<VerifyOptions, "signal" | "isLocked">,
  ): Promise<(Baseline & { readonly green: readonly string[] }) | null>;
  /** Notes the checks' own files, before anyone changes them. */
  pin(unit: string | null): Promise<void>;
  /** Checks whose own files are not what they were when the work of this unit began. */
  changedChecks(unit: string | null): Promise<readonly ChangedCheck[]>;
  acceptChecks(unit: string | null): Promise<void>;
  /** What was tried before no longer counts against the work. */
  forgetAttempts(): void;
}

export function createVerifier({
  directory,
  vcs,
  problems,
  clock,
  redact,
  ledger,
  pins,
  timeOfDay,
  session = createCheckSession(vcs),
  adopted,
  ...input
}: VerifierInput): Verifier {
  let last: ReturnType<Verifier["last"]> = null;
  const brokenConfig = problems.find(
    // A syntax error or an unreadable file can swallow the key without naming it.
    ({ kind, path }) => path.startsWith("definitionOfDone") || kind === "syntax" || kind === "unreadable",
  );

  const load = async (): Promise<LoadedDefinition | null> => {
    if (brokenConfig !== undefined) {
      return { kind: "broken", problem: `${brokenConfig.file}: ${brokenConfig.message}. Correct it first.` };
    }
    const loaded = await loadDefinitionOfDone(directory, adopted.definition);
    if (loaded?.kind !== "found") return loaded;
    const untrusted = await input.untrusted(loaded.definition, loaded.source);
    return untrusted.length === 0 ? loaded : { kind: "broken", problem: renderUntrusted(untrusted) };
  };
  const suggestions = async () => suggestChecks(await readProjectFolders(directory));
  const refusedCheck = async (
    { checks }: DefinitionOfDone,
    scope: string | undefined,
  ): Promise<string | null> => {
    for (const { id, command } of selectChecks(checks, scope).selected) {
      const reason = refuseCheck(await input.examine(command));
      if (reason !== null) return `The check ${id} is refused: \`${excerpt(command, 120)}\` ${reason}.`;
    }
    return null;
  };

  const optionsOf = (
    definition: DefinitionOfDone,
    { scope, signal, isLocked = false, unit = null, force = false }: Omit<VerifyOptions, "by">,
  ): ProvenRunOptions => {
    // Nothing of a definition runs that the user has not said yes to.
    const wanted = { isLocked, isByPerson: true };
    const { hostRuns } = input;
    const given = {
      directory,
      definition,
      signal,
      clock,
      redact,
      scope,
      program: hostRuns?.programs(wanted),
    };
    const runs: CheckSession = async (work, run) =>
      session(async (ended) => {
        const ran = async () => work(ended);
        return hostRuns?.around(wanted, definition.checks, ran) ?? ran();
      }, run);
    return { ...given, session: runs, vcs, ledger, pins, timeOfDay, unit, force };
  };
  const definition: Verifier["definition"] = async () => {
    const loaded = await load();
    return loaded?.kind === "found" ? loaded.definition : null;
  };
  const checksNow = async () => (await definition())?.checks ?? [];

  const open = (): Proofs => {
    let progress = NO_PROGRESS_YET;
    let base: string | null = null;
    let proof: { readonly passed: boolean; readonly tree: string | null } | null = null;

    const scopeOfWork: Proofs["scopeOfWork"] = async (signal) => {
      if (base === null) return "full";
      const since = await vcs.changesSince(base, signal);
      const isWhole = since.known && since.base === base && since.files.length < MAX_CHANGED_FILES;
      return isWhole && isDocumentationOnly(since.files.map(({ path }) => path)) ? "doc" : "full";
    };

    /** What a run says about GAIA's attempts. A pass always counts; a failure only where she asked. */
    const observe = (
      report: DefinitionOfDoneReport,
      by: VerifyOptions["by"],
      trees: { readonly before: string | null; readonly after: string | null },
    ): ProgressDecision => {
      if (report.cancelled || (by === "user" && !report.passed)) return { kind: "continue" };
      const seen = observeProgress(progress, {
        checksFailing: report.passed ? [] : failingChecks(report),
        missing: report.passed ? [] : missingArtifacts(report).map(({ path }) => path),
        treeHash: trees.before,
        treeHashAfter: trees.after,
      });
      progress = seen.state;
      return seen.decision;
    };

    return {
      scopeOfWork,
      async begin() {
        base = await vcs.baseRevision();
      },
      async standing(signal) {
        const loaded = await load();
        if (loaded === null) return "unconfigured";
        if (loaded.kind === "broken" || proof?.passed === false) return "failed";
        const now = await vcs.fingerprint(signal);
        if (proof === null) return "never";
        return now !== null && now === proof.tree ? "passed" : "stale";
      },
      async verify({ by, ...options }) {
        const { scope, signal } = options;
        const loaded = await load();
        if (loaded === null) {
          return { kind: "none", suggestions: (await suggestions()).map(({ command }) => command) };
        }
        if (loaded.kind === "broken") return loaded;
        const problem = await refusedCheck(loaded.definition, scope);
        if (problem !== null) return { kind: "broken", problem };
        const { report, before, tree } = await runProven(optionsOf(loaded.definition, options));
        const decision = observe(report, by, { before, after: await vcs.fingerprint(signal) });
        if (!report.cancelled) {
          last = { at: clock.now(), summary: renderSummaryLine(report), passed: report.passed };
          const documentation = report.scope === "doc" && (await scopeOfWork(signal)) === "doc";
          // A pass that proves only a part says nothing about the rest, and takes nothing back.
          if (!report.passed || isProof(report, documentation)) proof = { passed: report.passed, tree };
        }
        return { kind: "ran", report, next: decideAfterChecks(report, decision), tree };
      },
      async baseline(unit, options) {
        const found = await definition();
        if (found === null) return null;
        if ((await refusedCheck(found, undefined)) !== null) return null;
        const base = await vcs.baseRevision();
        const { report } = await runProvenOnce(optionsOf(found, { ...options, unit }));
        if (report.cancelled) return null;
        const at = new Date(timeOfDay.now()).toISOString();
        const red = redChecks(report, found.checks);
        const green = found.checks
          .map(({ command, cwd }) => commandKey(command, cwd))
          .filter((key) => !red.some((each) => each.key === key));
        return { at, red, base, green };
      },
      async pin(unit) {
        await pins.pin(unit, await checksNow());
      },
      changedChecks: async (unit) => pins.listChanged(unit, await checksNow()),
      async acceptChecks(unit) {
        await pins.accept(unit, await checksNow());
      },
      forgetAttempts() {
        progress = NO_PROGRESS_YET;
      },
    };
  };

  return {
    open,
    ledger,
    last: () => last,
    definition,
    commands: async () => (await checksNow()).map(({ command }) => command),
    judged: async (unit) => judgeChecks(await checksNow(), unit, { vcs, ledger, pins }),
    suggest: async () => ((await load()) === null ? suggestions() : null),
    adopt(definition) {
      adopted.definition = definitionOfDone().parse(definition);
    },
  };
}

/** Where the project's checks stand, by what was seen of them for a unit; runs nothing. */
async function judgeChecks(
  checks: readonly (NamedCommand & { readonly id: string })[],
  unit: string | null,
  { vcs, ledger, pins }: { vcs: Pick<Vcs, "fingerprint">; ledger: EvidenceLedger; pins: Pins },
): Promise<readonly JudgedClaim[]> {
  const tree = checks.length === 0 ? null : await vcs.fingerprint();
  const { baseline } = await ledger.of(unit);
  return Promise.all(
    checks.map(async ({ id, command, cwd }) => {
      const rest = { kind: "task", text: id, wave: null, isTicked: true, files: [] } as const;
      const key = commandKey(command, cwd);
      const red = baseline?.red.find((each) => each.key === key);
      const before = baseline === null ? null : (red ?? { status: "passed" as const });
      const known = {
        evidence: await ledger.latest(unit, key),
        before,
        changed: (await pins.listChanged(unit, [{ command, cwd }]))[0] ?? null,
        objection: null,
      };
      return judgeClaim({ ...rest, id: `check ${id}`, command }, known, tree);
    }),
  );
}
