import type { ConfigProblem } from "../config/problem.ts";
import type { Clock } from "../lib/clock.ts";
import { excerpt } from "../lib/excerpt.ts";
import type { Examination } from "../policy/examination.ts";
import {
  type DefinitionOfDone,
  definitionOfDone,
  type WrittenDefinition,
} from "../config/definition-of-done.ts";
import { type LoadedDefinition, loadDefinitionOfDone } from "./definition-of-done/load.ts";
import { renderSummaryLine } from "./definition-of-done/render.ts";
import { type DefinitionOfDoneReport, failingChecks, missingArtifacts } from "./definition-of-done/report.ts";
import { runDefinitionOfDone } from "./definition-of-done/run.ts";
import { selectChecks } from "./definition-of-done/select.ts";
import { readProjectFolders } from "./definition-of-done/suggest/read-project.ts";
import type { CheckSuggestion } from "./definition-of-done/suggest/suggestion.ts";
import { suggestChecks } from "./definition-of-done/suggest/suggest.ts";
import { MAX_CHANGED_FILES, type Vcs } from "../vcs/port.ts";
import { isDocumentationOnly } from "./documentation.ts";
import { NO_PROGRESS_YET, observeProgress, type ProgressDecision, type ProgressState } from "./progress.ts";
import { refuseCheck } from "./refuse-check.ts";
import { decideAfterChecks, isProof, type AfterChecks } from "./wave-completion.ts";

export type Verification =
  /** Nothing is configured; `suggestions` are commands found in the project, never run unasked. */
  | { kind: "none"; suggestions: readonly string[] }
  /** What is configured cannot be used, so nothing is proven. */
  | { kind: "broken"; problem: string }
  | { kind: "ran"; report: DefinitionOfDoneReport; next: AfterChecks };

/** Whether the files as they are now are proven; `unconfigured` where the project has no Definition of Done. */
export type ProofStanding = "passed" | "failed" | "stale" | "never" | "unconfigured";

/** What the newest run said, and of which files. */
interface Proof {
  readonly passed: boolean;
  readonly tree: string | null;
}

/** One run of the checks. */
export interface VerifyOptions {
  readonly scope?: string | undefined;
  /** Only what GAIA asks for is an attempt of hers; the user may look as often as they like. */
  readonly by: "gaia" | "user";
  readonly signal: AbortSignal;
  /** Nothing may be changed now. */
  readonly isLocked?: boolean;
}

export interface VerifierInput {
  readonly directory: string;
  readonly vcs: Vcs;
  readonly configured: DefinitionOfDone | undefined;
  /** Problems of the configuration: a definition that was dropped as wrong must not pass as "none". */
  readonly problems: readonly ConfigProblem[];
  readonly clock: Clock;
  readonly redact: (text: string) => string;
  /** What the policy says of a command. */
  examine(command: string): Promise<Examination>;
  /** Told of every run that was not cancelled, the user's too. */
  onReport?(rootId: string, report: DefinitionOfDoneReport): void;
}

/** Runs the project's Definition of Done, and remembers per conversation whether the work gets anywhere (SPEC 11). */
export interface Verifier {
  verify(rootId: string, options: VerifyOptions): Promise<Verification>;
  /** The newest run of this process, in one line; a cancelled one does not count. `at` is in milliseconds. */
  last(): { at: number; summary: string } | null;
  /** Checks that the project seems to have; null where a definition is configured, even a broken one. */
  suggest(): Promise<readonly CheckSuggestion[] | null>;
  /** Takes a definition that was configured just now, without a restart. */
  adopt(definition: WrittenDefinition): void;
  /** A wave begins: what is changed from here on is its work. */
  begin(rootId: string): Promise<void>;
  /** `doc` when the work since it began is documentation and nothing else; `full` also where that cannot be told. */
  scopeOfWork(rootId: string, signal: AbortSignal): Promise<"full" | "doc">;
  /** Whether the files as they are now are proven, for a revision. */
  standing(rootId: string, signal: AbortSignal): Promise<ProofStanding>;
  /** The user spoke: what was tried before no longer counts against the work. */
  userSpoke(rootId: string): void;
  forget(rootId: string): void;
}

export function createVerifier(input: VerifierInput): Verifier {
  const { directory, vcs, problems, clock, redact } = input;
  let { configured } = input;
  const states = new Map<string, ProgressState>();
  let last: { at: number; summary: string } | null = null;
  const begun = new Map<string, string | null>();
  const proofs = new Map<string, Proof>();
  const brokenConfig = problems.find(mayHideDefinition);

  const load = async (): Promise<LoadedDefinition | null> =>
    brokenConfig === undefined
      ? loadDefinitionOfDone(directory, configured)
      : { kind: "broken", problem: `${brokenConfig.file}: ${brokenConfig.message}. Correct it first.` };
  const suggestions = async (): Promise<CheckSuggestion[]> =>
    suggestChecks(await readProjectFolders(directory));

  const refusedCheck = async (
    { checks }: DefinitionOfDone,
    scope: string | undefined,
    isLocked: boolean,
  ): Promise<string | null> => {
    for (const { id, command } of selectChecks(checks, scope).selected) {
      const reason = refuseCheck(await input.examine(command), isLocked);
      if (reason !== null) return `The check ${id} is refused: \`${excerpt(command, 120)}\` ${reason}.`;
    }
    return null;
  };

  const scopeOfWork: Verifier["scopeOfWork"] = async (rootId, signal) => {
    const base = begun.get(rootId) ?? null;
    if (base === null) return "full";
    const since = await vcs.changesSince(base, signal);
    const isWhole = since.known && since.base === base && since.files.length < MAX_CHANGED_FILES;
    return isWhole && isDocumentationOnly(since.files.map(({ path }) => path)) ? "doc" : "full";
  };

  /** What a run says about GAIA's attempts. A pass always counts; a failure only where she asked. */
  const observe = (
    rootId: string,
    report: DefinitionOfDoneReport,
    by: VerifyOptions["by"],
    trees: { readonly before: string | null; readonly after: string | null },
  ): ProgressDecision => {
    if (report.cancelled || (by === "user" && !report.passed)) return { kind: "continue" };
    const { state, decision } = observeProgress(states.get(rootId) ?? NO_PROGRESS_YET, {
      checksFailing: report.passed ? [] : failingChecks(report),
      missing: report.passed ? [] : missingArtifacts(report).map(({ path }) => path),
      treeHash: trees.before,
      treeHashAfter: trees.after,
    });
    states.set(rootId, state);
    return decision;
  };

  return {
    scopeOfWork,
    async begin(rootId) {
      begun.set(rootId, await vcs.baseRevision());
    },
    async standing(rootId, signal) {
      const loaded = await load();
      if (loaded === null) return "unconfigured";
      const proof = proofs.get(rootId);
      if (loaded.kind === "broken" || proof?.passed === false) return "failed";
      if (proof === undefined) return "never";
      const now = await vcs.fingerprint(signal);
      return now !== null && now === proof.tree ? "passed" : "stale";
    },
    async verify(rootId, { scope, by, signal, isLocked = false }) {
      const loaded = await load();
      if (loaded === null) {
        return { kind: "none", suggestions: (await suggestions()).map(({ command }) => command) };
      }
      if (loaded.kind === "broken") return loaded;
      const problem = await refusedCheck(loaded.definition, scope, isLocked);
      if (problem !== null) return { kind: "broken", problem };
      const before = await vcs.fingerprint(signal);
      const report = await runDefinitionOfDone({
        directory,
        definition: loaded.definition,
        signal,
        clock,
        redact,
        scope,
      });
      const after = await vcs.fingerprint(signal);
      const decision = observe(rootId, report, by, { before, after });
      if (!report.cancelled) {
        last = { at: clock.now(), summary: renderSummaryLine(report) };
        const documentation = report.scope === "doc" && (await scopeOfWork(rootId, signal)) === "doc";
        // A pass that proves only a part says nothing about the rest, and takes nothing back.
        if (!report.passed || isProof(report, documentation)) {
          proofs.set(rootId, { passed: report.passed, tree: after });
        }
        input.onReport?.(rootId, report);
      }
      return { kind: "ran", report, next: decideAfterChecks(report, decision) };
    },
    last: () => last,
    async suggest() {
      return (await load()) === null ? suggestions() : null;
    },
    adopt(definition) {
      configured = definitionOfDone().parse(definition);
    },
    userSpoke(rootId) {
      states.delete(rootId);
    },
    forget(rootId) {
      for (const memory of [states, begun, proofs]) memory.delete(rootId);
    },
  };
}

/** A wrong key says so by its path; a syntax error or an unreadable file can swallow the key without naming it. */
function mayHideDefinition({ kind, path }: ConfigProblem): boolean {
  return path.startsWith("definitionOfDone") || kind === "syntax" || kind === "unreadable";
}
