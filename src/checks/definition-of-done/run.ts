import type {
  CheckDefinition,
  DefinitionOfDone,
  ArtifactDefinition,
} from "../../config/definition-of-done.ts";
import type { RedCheck } from "../evidence/evidence.ts";
import { keyOf, type RunFacts, type Runner } from "../evidence/runner.ts";
import {
  isSameFailure,
  type CheckReport,
  decidePassed,
  type DefinitionOfDoneReport,
  notRun,
  type ArtifactReport,
} from "./report.ts";
import { join } from "node:path";
import { exists, findBelow, type Search } from "../../lib/find-below.ts";
import { parsePattern } from "../../lib/path-pattern.ts";

export interface DefinitionRun {
  readonly definition: DefinitionOfDone;
  /** `full` (default), `doc`, or a part of the project such as `frontend`. */
  readonly scope?: string | undefined;
  /** The work unit that is proven by it; null for work without one. */
  readonly unit: string | null;
  /** Runs what is proven already as well. */
  readonly force?: boolean;
  readonly facts: RunFacts;
}

/** Most projects have test, lint, types and build: these run side by side, more wait for their turn. */
const MAX_CONCURRENT = 4;

/** {@link runDefinitionOfDone}; where the checks passed and changed files that they may change, as formatters do, once more on what lies there then. */
export async function proveDefinitionOfDone(runner: Runner, asked: DefinitionRun) {
  const first = await runDefinitionOfDone(runner, asked);
  if (first.kept.length === 0 || !first.report.passed) return first;
  const second = await runDefinitionOfDone(runner, asked);
  second.report.duration_ms += first.report.duration_ms;
  second.report.notes.push(
    second.kept.length === 0
      ? `The checks changed ${first.kept.join(", ")}, as they may, and were run again on what is there now.`
      : `The checks change ${second.kept.join(", ")} whenever they run, so nothing is proven.`,
  );
  return { ...second, before: first.before };
}

/**
 * Proves the project's Definition of Done in the host (SPEC 11): the checks of the scope side by side, but for those that passed
 * on these very files; then the artifacts, then the gate. A check whose own files are not what they were when the work began is
 * not run: it waits for the user. One that failed in the same way before the work began is not held against it. Never throws;
 * every problem is a status or a note of the report, and the report of an aborted run says `cancelled`.
 */
export async function runDefinitionOfDone(
  runner: Runner,
  { definition, unit, force = false, facts, ...asked }: DefinitionRun,
) {
  const { directory, ledger, pins, clock, redact } = runner;
  const { signal } = facts;
  const started = clock.now();
  const { scope, selected, skipped, notes } = selectChecks(definition.checks, asked.scope);
  await pins.pin(unit, selected);
  const changed = new Map((await pins.listChanged(unit, selected)).map((each) => [keyOf(each), each]));
  const { baseline } = await ledger.of(unit);
  const {
    reports,
    value: artifacts,
    ...ran
  } = await runner.observe(unit, selected, {
    facts,
    most: MAX_CONCURRENT,
    isKnown: (check, here) => changed.has(keyOf(check)) || (!force && here?.status === "passed"),
    // Before the tree is put back, because a build among them may be what makes an artifact.
    after: async () => findArtifacts(directory, definition.artifacts, signal),
  });
  const checks = selected.map((check): CheckReport => {
    const { how } = changed.get(keyOf(check)) ?? {};
    if (how !== undefined)
      return notRun(
        check,
        redact,
        `not run: ${how} since the work began; only the user says that it still counts`,
      );
    const report = reports.get(keyOf(check));
    if (report === undefined)
      return { ...notRun(check, redact), status: "passed", exit_code: 0, reused: true };
    const red = baseline?.red.find(({ key }) => key === keyOf(check));
    const isAsBefore = red !== undefined && isSameFailure(red, report);
    return { ...report, id: check.id, ...(isAsBefore ? { as_before: true } : {}) };
  });
  const reused = checks.filter((check) => check.reused === true).length;
  if (definition.gate === "none" && checks.some((check) => check.status !== "passed"))
    notes.push("The gate is none, so failing checks are shown and do not count.");
  notes.push(...ran.notes);
  if (reused > 0)
    notes.push(
      `${reused} of the checks passed before on the very files that are there now and were not repeated; /gaia-check force runs them again.`,
    );
  const { gate } = definition;
  const cancelled = signal.aborted;
  const passed = decidePassed({ gate, checks, artifacts, cancelled });
  const duration_ms = Math.round(clock.now() - started);
  const report: DefinitionOfDoneReport = {
    passed,
    gate,
    scope,
    cancelled,
    checks,
    artifacts,
    skipped,
    notes,
    duration_ms,
  };
  return { ...ran, report };
}

/** What was red before the first change, out of a report. */
export function redChecks(report: DefinitionOfDoneReport, selected: readonly CheckDefinition[]): RedCheck[] {
  return report.checks.flatMap((check, index) => {
    const of = selected[index];
    // What never ran says nothing of the files as they were.
    const isRed = check.status !== "passed" && check.status !== "cancelled" && check.status !== "error";
    if (of === undefined || !isRed) return [];
    const { id, status, exit_code } = check;
    return [{ key: keyOf(of), id, status, exit_code, signature: check.signature ?? [] }];
  });
}

export interface Selection extends Pick<DefinitionOfDoneReport, "scope" | "skipped" | "notes"> {
  selected: CheckDefinition[];
}

/**
 * Chooses the checks for a scope (SPEC 11).
 * - `full` (also absent, or `unknown`): every check, the documentation ones too.
 * - `doc`: only checks marked `doc`; none marked means that no command runs.
 * - anything else names a part of the project, such as `frontend` or `frontend_only`: checks with that word in their
 *   id or folder. A part that no check knows runs everything, so that a made-up scope cannot empty the gate.
 */
export function selectChecks(checks: readonly CheckDefinition[], requested?: string): Selection {
  const scope = normaliseScope(requested);
  const isDocumentation = scope === "doc";
  const all = { scope: isDocumentation ? scope : "full", selected: [...checks], skipped: [], notes: [] };
  if (scope === "full" || checks.length === 0) return all;
  const belongs = (check: CheckDefinition): boolean =>
    isDocumentation ? check.scope === "doc" : words(`${check.id} ${check.cwd ?? ""}`).has(scope);
  const selected = checks.filter(belongs);
  if (selected.length === 0 && !isDocumentation) {
    return { ...all, notes: [`No check belongs to the scope ${scope}, so all of them were run.`] };
  }
  const reason = isDocumentation ? "scope is not doc" : `does not belong to ${scope}`;
  const skipped = checks.filter((check) => !belongs(check)).map(({ id }) => ({ id, reason }));
  const note = "No check has the scope doc, so no command was run; only artifacts count.";
  return { scope, selected, skipped, notes: selected.length === 0 ? [note] : [] };
}

function normaliseScope(requested: string | undefined): string {
  const word = (requested ?? "")
    .trim()
    .slice(0, 60)
    .toLowerCase()
    .replace(/[\s_-]*only$/, "");
  if (word === "" || word === "unknown") return "full";
  return word === "docs" || word === "documentation" ? "doc" : word;
}

function words(text: string): Set<string> {
  return new Set(text.toLowerCase().split(/[^\p{L}\p{N}]+/u));
}

/** Folders read per pattern; a project with more needs a more exact pattern. */
const MAX_FOLDERS = 20_000;

/** Looks for each artifact below the project. An artifact is anything that exists: file, folder, or link to something that does. */
export async function findArtifacts(
  directory: string,
  artifacts: readonly ArtifactDefinition[],
  signal: AbortSignal,
): Promise<ArtifactReport[]> {
  const look = async (path: string): Promise<Pick<ArtifactReport, "found" | "problem">> => {
    const alternatives = parsePattern(path);
    if (!alternatives) return { found: false, problem: "is not a path inside the project" };
    // Braces also occur in real names.
    if (await exists(join(directory, path))) return { found: true };
    const search: Search = { foldersLeft: MAX_FOLDERS, signal };
    for (const steps of alternatives)
      if ((await findBelow(directory, steps, search).next()).done !== true) return { found: true };
    if (search.foldersLeft > 0) return { found: false };
    return { found: false, problem: `not in the first ${MAX_FOLDERS} folders; name it more exactly` };
  };
  return Promise.all(
    artifacts.map(async ({ path, optional }) => ({ path, optional, ...(await look(path)) })),
  );
}
