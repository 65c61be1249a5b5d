import { renderDiff } from "./diff-view.ts";
import { rule, WIDTH, wrap } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { renderRecord, type RecordFile } from "./record-view.ts";
import { ACCEPTANCE, type TestRun } from "./sample.ts";
import { renderCounts } from "./test-counts.ts";
import { renderUsage, type Usage } from "./usage.ts";

/** How much of the diff is shown; the rest is in the kept project. */
const DIFF_LINES = 100;
/** How much of failing tests is shown. */
const FAILURE_LINES = 40;

/** Everything that the tour shows: what lies in the project after the work, and what OpenCode counted. */
export interface TourFacts {
  /** Whether the model was the scripted one. */
  readonly scripted: boolean;
  /** Commits since the start, one line each; empty when there is none. */
  readonly commits: string;
  /** `git diff --stat` of everything, and the diff of the product code. */
  readonly stat: string;
  readonly diff: string;
  readonly before: TestRun;
  readonly after: TestRun;
  readonly record: readonly RecordFile[];
  /** Whether plan, log and decisions of a work unit are written. */
  readonly recorded: boolean;
  readonly usage: readonly Usage[];
  /** From the request to GAIA's last word, in milliseconds. */
  readonly wholeMs: number;
}

/** Whether the demo reached what it promised: the feature's tests pass and the record is written. */
export function succeeded({ after, recorded }: TourFacts): boolean {
  return after.passed && recorded;
}

/** What GAIA left behind, for reading from top to bottom. */
export function renderTour(facts: TourFacts, paint: Paint): string[] {
  return [
    ...section("What changed", paint, renderChange(facts, paint)),
    ...section("The sample's tests, run by the demo itself", paint, renderTests(facts, paint)),
    ...section("The record that GAIA left", paint, renderRecord(facts.record, paint, WIDTH)),
    ...section("Who used what", paint, renderCosts(facts, paint)),
    ...section("Result", paint, renderVerdict(facts, paint)),
  ];
}

function section(title: string, paint: Paint, lines: readonly string[]): string[] {
  return ["", paint.bold(rule(title)), ...lines];
}

function renderChange({ commits, stat, diff }: TourFacts, paint: Paint): string[] {
  const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
  return [
    ...(commits === "" ? ["Nothing was committed."] : lines(commits).map((line) => `commit ${line}`)),
    ...lines(stat),
    "",
    ...renderDiff(diff, paint, { width: WIDTH, lines: DIFF_LINES }),
  ];
}

function renderTests({ before, after }: TourFacts, paint: Paint): string[] {
  const failures = after.passed ? [] : after.output.trimEnd().split("\n").slice(-FAILURE_LINES);
  const mark = (run: TestRun): string => (run.passed ? paint.good("✓") : paint.bad("✗"));
  return [
    "node --test",
    `  ${mark(before)} before the work: ${renderCounts(before.counts)}`,
    `  ${mark(after)} now:             ${renderCounts(after.counts)}`,
    ...failures,
  ];
}

function renderCosts({ usage, wholeMs, scripted }: TourFacts, paint: Paint): string[] {
  const [head = "", ...rows] = renderUsage(usage, wholeMs);
  const note =
    "Requests are real. Tokens are estimated, four characters each; the scripted model costs nothing.";
  return [paint.dim(head), ...rows, ...(scripted ? [paint.dim(note)] : [])];
}

function renderVerdict(facts: TourFacts, paint: Paint): string[] {
  const line = (good: boolean, text: string): string => `${good ? paint.good("✓") : paint.bad("✗")} ${text}`;
  const { after, recorded, scripted } = facts;
  const about = scripted
    ? "The model was scripted: this shows that the machinery works from end to end, and says nothing about how " +
      "well a model plans or codes."
    : "The model was a real one: another run may go another way.";
  return [
    line(after.passed, describeTests(after)),
    line(recorded, recorded ? "Plan, log and decisions are written." : "Plan, log or decisions are missing."),
    "",
    ...wrap(about, WIDTH),
    "With a model of yours:    opencode-gaia demo --model provider/model",
    "In a project of yours:    opencode plugin opencode-gaia, then choose the agent gaia in opencode",
  ];
}

function describeTests({ passed, tampered }: TestRun): string {
  if (tampered) return `${ACCEPTANCE}, which describes the feature, was changed: that does not count.`;
  return passed ? "The feature's tests pass." : "The sample's tests still fail.";
}
