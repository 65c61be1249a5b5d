import type { CheckDefinition } from "../../config/definition-of-done.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Changes, MAX_CHANGED_FILES, type Vcs } from "../../snapshot/vcs.ts";
import type { CheckSession } from "../check-session.ts";
import type { CheckReport, DefinitionOfDoneReport } from "../definition-of-done/report.ts";
import { runDefinitionOfDone, type RunOptions } from "../definition-of-done/run.ts";
import { selectChecks } from "../definition-of-done/select.ts";
import { type Baseline, type Evidence, commandKey, type RedCheck } from "./evidence.ts";
import type { EvidenceLedger } from "./ledger.ts";
import type { Pins } from "./pins.ts";
import { countsOf, evidenceOf } from "./prover.ts";
import { failureSignature, isSameFailure } from "./same-failure.ts";

export interface ProvenRunOptions extends RunOptions {
  readonly vcs: Pick<Vcs, "fingerprint" | "changesSince">;
  readonly ledger: EvidenceLedger;
  readonly pins: Pins;
  readonly session: CheckSession;
  readonly timeOfDay: Clock;
  /** The work unit that is proven by it; null for work without one. */
  readonly unit: string | null;
  /** Runs what is proven already as well. */
  readonly force: boolean;
}

/** A run, and the files that it says something about: before it, and what its proof holds for. */
export interface ProvenRun {
  readonly report: DefinitionOfDoneReport;
  readonly before: string | null;
  readonly tree: string | null;
}

/**
 * Runs the checks, except for those that passed on these very files (SPEC 11), and keeps what was seen as evidence. A check
 * whose own files are not what they were when the work began is not run: it waits for the user. One that failed in the same
 * way before the work began is not held against it. What checks change is put back; where they passed and changed files that
 * they may change, as formatters do, all of them run once more on what lies there then.
 */
export async function runProven(options: ProvenRunOptions): Promise<ProvenRun> {
  const first = await runProvenOnce(options);
  if (first.kept.length === 0 || !first.report.passed) return first;
  const second = await runProvenOnce(options);
  second.report.duration_ms += first.report.duration_ms;
  second.report.notes.push(
    second.kept.length === 0
      ? `The checks changed ${first.kept.join(", ")}, as they may, and were run again on what is there now.`
      : `The checks change ${second.kept.join(", ")} whenever they run, so nothing is proven.`,
  );
  return { ...second, before: first.before };
}

/** {@link runProven} where it does not matter what the checks leave behind. */
export async function runProvenOnce(
  options: ProvenRunOptions,
): Promise<ProvenRun & { readonly kept: readonly string[] }> {
  const { vcs, ledger, pins, unit, signal, definition, session } = options;
  const { selected } = selectChecks(definition.checks, options.scope);
  await pins.pin(unit, selected);
  const changed = new Map(
    (await pins.listChanged(unit, selected)).map((each) => [commandKey(each.command, each.cwd), each]),
  );
  const { baseline } = await ledger.of(unit);
  const touched = await touchedSince(options, baseline);
  const now = await vcs.fingerprint(signal);
  const reused = new Map<string, Evidence>();
  for (const { command, cwd } of selected) {
    const seen = await ledger.latest(unit, commandKey(command, cwd));
    const isSame = !options.force && now !== null && seen?.tree === now;
    if (seen?.status === "passed" && isSame) reused.set(seen.key, seen);
  }
  const known = (check: CheckDefinition): CheckReport | null => {
    const key = commandKey(check.command, check.cwd);
    const edited = changed.get(key);
    const command = options.redact(check.command);
    const nothing = { id: check.id, command, duration_ms: 0, output_tail: "" };
    if (edited !== undefined) {
      return {
        ...nothing,
        status: "error",
        exit_code: null,
        detail: `not run: ${edited.how} since the work began; only the user says that it still counts`,
      };
    }
    return reused.has(key) ? { ...nothing, status: "passed", exit_code: 0, reused: true } : null;
  };
  const settle = (report: CheckReport, { command, cwd }: CheckDefinition): CheckReport => {
    const key = commandKey(command, cwd);
    const red = changed.has(key) ? undefined : baseline?.red.find((each) => each.key === key);
    return red !== undefined && isExcused(red, report, touched) ? { ...report, as_before: true } : report;
  };
  const waiting = selected.filter(({ command, cwd }) => {
    const key = commandKey(command, cwd);
    return !changed.has(key) && !reused.has(key);
  });
  const run = async (ended?: () => void): Promise<DefinitionOfDoneReport> =>
    runDefinitionOfDone({ ...options, known, settle, ended });
  const ran =
    waiting.length === 0
      ? { value: await run(), before: now, tree: now, kept: [], notes: [] }
      : await session(run, {
          commands: waiting.map(({ command }) => options.redact(command)),
          writes: waiting.flatMap(({ writes = [] }) => writes),
          signal,
        });
  const report = ran.value;
  report.notes.push(...ran.notes);
  for (const [index, check] of report.checks.entries()) {
    const of = selected[index];
    if (of !== undefined && wasRed(baseline, check, of)) check.was_red = true;
  }
  const at = new Date(options.timeOfDay.now()).toISOString();
  const seen = report.checks.flatMap((check, index) => {
    const of = selected[index];
    const isRun = of !== undefined && waiting.includes(of) && check.status !== "cancelled";
    return isRun ? [evidenceOf(check, commandKey(of.command, of.cwd), { tree: ran.tree, at })] : [];
  });
  await ledger.add(unit, seen);
  if (reused.size > 0) {
    report.notes.push(
      `${reused.size} of the checks passed before on the very files that are there now and were not repeated; /gaia-check force runs them again.`,
    );
  }
  return { report, before: ran.before, tree: ran.tree, kept: ran.kept };
}

/** What was red before the first change, out of a report. */
export function redChecks(report: DefinitionOfDoneReport, selected: readonly CheckDefinition[]): RedCheck[] {
  return report.checks.flatMap((check, index) => {
    const of = selected[index];
    // What never ran says nothing of the files as they were.
    const isRed = check.status !== "passed" && check.status !== "cancelled" && check.status !== "error";
    if (of === undefined || !isRed) return [];
    const { id, status, exit_code, tests } = check;
    const key = commandKey(of.command, of.cwd);
    return [{ key, id, status, exit_code, signature: failureSignature(check), ...countsOf(tests) }];
  });
}

/** Whether a check that is held against the work failed before it as well, and says nothing by which the two could be told apart. */
function wasRed(baseline: Baseline | null, report: CheckReport, { command, cwd }: CheckDefinition): boolean {
  if (baseline === null || report.status === "passed" || report.status === "cancelled") return false;
  if (report.as_before === true || failureSignature(report).length > 0) return false;
  const red = baseline.red.find(({ key }) => key === commandKey(command, cwd));
  return red !== undefined && isSameFailure(red, { ...report, signature: [] });
}

function isExcused(red: RedCheck, report: CheckReport, touched: readonly string[] | null): boolean {
  if (report.status === "passed" || report.status === "cancelled") return false;
  const signature = failureSignature(report);
  if (!isSameFailure(red, { ...report, signature })) return false;
  // A check that says nothing fails the same way whatever is wrong: what it looks at must be as it was.
  return signature.length > 0 || touched === null || !touched.some((path) => report.command.includes(path));
}

/** Files that were changed since the work began; null where that cannot be told. */
async function touchedSince(
  { vcs, signal }: ProvenRunOptions,
  baseline: Baseline | null,
): Promise<readonly string[] | null> {
  if (baseline === null || baseline.red.every(({ signature }) => signature.length > 0)) return [];
  const changes: Changes = await vcs.changesSince(baseline.base, signal);
  return changes.known && changes.files.length < MAX_CHANGED_FILES
    ? changes.files.map(({ path }) => path)
    : null;
}
