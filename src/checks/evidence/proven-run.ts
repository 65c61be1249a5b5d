import type { CheckDefinition } from "../../config/definition-of-done.ts";
import type { Clock } from "../../lib/clock.ts";
import { type Changes, MAX_CHANGED_FILES, type Vcs } from "../../vcs/port.ts";
import type { CheckReport, DefinitionOfDoneReport } from "../definition-of-done/report.ts";
import { runDefinitionOfDone, type RunOptions } from "../definition-of-done/run.ts";
import { selectChecks } from "../definition-of-done/select.ts";
import { type Baseline, type Evidence, keyOf, type RedCheck } from "./evidence.ts";
import type { Ledger } from "./ledger.ts";
import { describeChange, type Pins } from "./pins.ts";
import { evidenceOf } from "./prover.ts";
import { lostTests, ranOf } from "./lost-tests.ts";
import { failureSignature, isSameFailure } from "./same-failure.ts";
import { treeOfRun } from "./tree-of-run.ts";

/** What a run of the checks needs beside the definition. */
export interface ProvenRunOptions extends RunOptions {
  readonly vcs: Pick<Vcs, "filesNow" | "changesSince">;
  readonly ledger: Ledger;
  readonly pins: Pins;
  readonly timeOfDay: Clock;
  /** The work unit that is proven by it; null for work without one. */
  readonly unit: string | null;
  /** Runs what is proven already as well. */
  readonly force: boolean;
  /** Runs commands that nothing contains, and that may leave something at work. */
  readonly freely?: (<T>(run: () => Promise<T>) => Promise<T>) | undefined;
}

/** A run, and the files that it says something about: before it, and what its proof holds for. */
export interface ProvenRun {
  readonly report: DefinitionOfDoneReport;
  readonly before: string | null;
  readonly tree: string | null;
}

/** Runs the checks by one of these ways, which are told below. */
export async function runBy(
  way: typeof runProven | typeof runProvenOnce,
  options: ProvenRunOptions,
): Promise<ProvenRun> {
  const { contain, freely } = options;
  return contain !== undefined || freely === undefined ? way(options) : freely(async () => way(options));
}

/** Files of a note that are named. */
const SHOWN = 3;

/**
 * Runs the checks, except for those that passed on these very files (SPEC 11), and keeps what was seen as evidence. A check
 * that comes down to something else than when the work began is not run: it waits for the user. One that failed in the same
 * way before the work began is not held against it. Where checks that passed have changed files, as formatters do, all of them
 * run once more on what lies there then.
 */
export async function runProven(options: ProvenRunOptions): Promise<ProvenRun> {
  const first = await runProvenOnce(options);
  if (first.written.length === 0) return first;
  const names = namesOf(first.written);
  if (!first.report.passed) {
    first.report.notes.push(`Files were changed while the checks ran: ${names}.`);
    return first;
  }
  const second = await runProvenOnce(options);
  second.report.duration_ms += first.report.duration_ms;
  second.report.notes.push(
    second.written.length === 0
      ? `Files were changed while the checks ran, by them or by others: ${names}. They were run again on what is there now.`
      : `Files are changed whenever the checks run: ${namesOf(second.written)}. So nothing is proven: have them leave those alone.`,
  );
  return { ...second, before: first.before };
}

function namesOf(paths: readonly string[]): string {
  const more = paths.length > SHOWN ? ` and ${paths.length - SHOWN} more` : "";
  return `${paths.slice(0, SHOWN).join(", ")}${more}`;
}

/** {@link runProven} where it does not matter what the checks leave behind. */
export async function runProvenOnce(
  options: ProvenRunOptions,
): Promise<ProvenRun & { readonly written: readonly string[] }> {
  const { vcs, ledger, pins, unit, signal, definition } = options;
  const files = await vcs.filesNow(signal);
  const before = files?.fingerprint ?? null;
  const { selected } = selectChecks(definition.checks, options.scope);
  await pins.pin(unit, selected);
  const changed = new Map(
    (await pins.listChanged(unit, selected)).map((each) => [keyOf(each.command, each.cwd), each]),
  );
  const { baseline } = await ledger.of(unit);
  const touched = await touchedSince(options, baseline);
  const reused = new Map<string, Evidence>();
  /** What the checks that tell of tests told before: in this unit, else anywhere. */
  const told = new Map<string, Pick<Evidence, "ran" | "skipped">>();
  const own = new Map((await ledger.of(unit)).evidence.map((each) => [each.key, each]));
  for (const { command, cwd } of selected) {
    const seen = await ledger.latest(unit, keyOf(command, cwd));
    const isSame = !options.force && before !== null && seen?.tree === before;
    if (seen?.status === "passed" && isSame) reused.set(seen.key, seen);
    if (seen !== null) told.set(seen.key, own.get(seen.key) ?? seen);
  }
  const known = (check: CheckDefinition): CheckReport | null => {
    const key = keyOf(check.command, check.cwd);
    const edited = changed.get(key);
    const command = options.redact(check.command);
    const nothing = { id: check.id, command, duration_ms: 0, output_tail: "" };
    if (edited !== undefined) {
      return {
        ...nothing,
        status: "error",
        exit_code: null,
        detail: `not run: ${describeChange(edited)}; only the user says that it still counts`,
      };
    }
    return reused.has(key) ? { ...nothing, status: "passed", exit_code: 0, reused: true } : null;
  };
  const settle = (report: CheckReport, { command, cwd }: CheckDefinition): CheckReport => {
    const key = keyOf(command, cwd);
    // One that is not repeated says nothing: its proof told of its tests when it was made, on these very files.
    const lost = report.reused === true ? null : lostTests(told.get(key), report);
    // In another unit of work there may be others.
    if (lost !== null && (own.has(key) || ranOf(report) === 0)) {
      const detail = `${lost}: have them back, or the user lets it count (/gaia-check accept)`;
      return { ...report, status: "failed", detail };
    }
    const red = changed.has(key) ? undefined : baseline?.red.find((each) => each.key === key);
    return red !== undefined && isExcused(red, report, touched) ? { ...report, as_before: true } : report;
  };
  const report = await runDefinitionOfDone({ ...options, known, settle });
  for (const [index, check] of report.checks.entries()) {
    const of = selected[index];
    if (of !== undefined && (await wasRed(options, baseline, check, of))) check.was_red = true;
  }
  const { tree, written } = treeOfRun(files, await vcs.filesNow(signal));
  const at = new Date(options.timeOfDay.now()).toISOString();
  const seen = report.checks.flatMap((check, index) => {
    const of = selected[index];
    const isRun =
      of !== undefined &&
      check.reused !== true &&
      check.status !== "cancelled" &&
      !changed.has(keyOf(of.command, of.cwd));
    if (!isRun) return [];
    const key = keyOf(of.command, of.cwd);
    const isSilent = check.status !== "passed" && ranOf(check) === undefined;
    return [evidenceOf(check, key, { tree, at }, own.get(key) ?? (isSilent ? told.get(key) : undefined))];
  });
  await ledger.add(unit, seen);
  if (reused.size > 0) {
    report.notes.push(
      `${reused.size} of the checks passed before on the very files that are there now and were not repeated; /gaia-check force runs them again.`,
    );
  }
  return { report, before, tree, written };
}

/** What was red before the first change, out of a report. @param telling of each check, whether it can pass at all */
export function redChecks(
  report: DefinitionOfDoneReport,
  selected: readonly CheckDefinition[],
  telling: readonly boolean[],
): RedCheck[] {
  return report.checks.flatMap((check, index) => {
    const of = selected[index];
    const isRed = check.status !== "passed" && check.status !== "cancelled" && telling[index] === true;
    if (of === undefined || !isRed) return [];
    const { id, status, exit_code } = check;
    return [{ key: keyOf(of.command, of.cwd), id, status, exit_code, signature: failureSignature(check) }];
  });
}

/**
 * Whether a check that is held against the work failed before it as well, as far as can be seen: it says nothing by which the
 * two could be told apart, or there is nothing on which it would pass.
 */
async function wasRed(
  { pins }: ProvenRunOptions,
  baseline: Baseline | null,
  report: CheckReport,
  { command, cwd }: CheckDefinition,
): Promise<boolean> {
  if (baseline === null || report.status === "passed" || report.status === "cancelled") return false;
  if (report.as_before === true || failureSignature(report).length > 0) return false;
  const red = baseline.red.find(({ key }) => key === keyOf(command, cwd));
  if (red !== undefined) return isSameFailure(red, { ...report, signature: [] });
  return !(await pins.canPass({ command, cwd }));
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
