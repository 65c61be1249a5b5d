import { renderExactDuration } from "../../lib/duration.ts";
import { wrap } from "./progress.ts";
import { ACCEPTANCE, isRecorded, type TestRun } from "./sample.ts";

/** How much of the diff, of each file of the record and of failing tests is shown; the rest is in the kept project. */
const MAX_LINES = 100;

/** Everything that the tour shows: what lies in the project after the work. */
export interface TourFacts {
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  /** Commits since the start, one line each; empty when there is none. */
  readonly commits: string;
  /** `git diff --stat` of everything, and the diff of the product code. */
  readonly stat: string;
  readonly diff: string;
  readonly before: TestRun;
  readonly after: TestRun;
  /** The record's files by their paths. */
  readonly record: ReadonlyMap<string, string>;
  /** From the request to GAIA's last word, in milliseconds. */
  readonly wholeMs: number;
}

/** What the reader should know before it starts. @param model `provider/model`, or null for the scripted one */
export function renderIntroduction(model: string | null): string[] {
  const scripted =
    "The model is SCRIPTED. Every answer of the model was written beforehand, and is played back by a small server on " +
    "this machine: no API key, no network, no cost.\nReal are OpenCode, the plugin, the agents and their permissions, " +
    "every file that is edited, every command, every test run, the commit and the record. The demo plays you, and says " +
    "yes to each permission request.";
  const real =
    `The model is ${model}. It runs in your own OpenCode, with your configuration and credentials, and costs what ` +
    `${model} costs. The demo plays you: it says yes to what happens inside the sample project, and takes the first ` +
    "answer to a question.";
  const title = "GAIA takes one feature request through her whole pipeline, in the real OpenCode.\n";
  return `${title}${model === null ? scripted : real}`.split("\n").flatMap((text) => [...wrap(text), ""]);
}

/** Whether the demo reached what it promised: the feature's tests pass and the record is written. */
export function succeeded({ after, record }: TourFacts): boolean {
  return after.passed && isRecorded(record);
}

/** What GAIA left behind, for reading from top to bottom. */
export function renderTour(facts: TourFacts): string[] {
  const { before, after, record, model } = facts;
  const mark = (good: boolean): string => (good ? "✓" : "✗");
  const about =
    model === null
      ? "The model was scripted: this shows that the machinery works from end to end, and says nothing about how " +
        "well a model plans or codes."
      : "The model was a real one: another run may go another way.";
  return [
    ...section("What changed", [
      facts.commits.trim() === "" ? "Nothing was committed." : `Commits: ${facts.commits.trim()}`,
      ...linesOf(facts.stat),
      ...linesOf(facts.diff),
    ]),
    ...section("The sample's tests, run by the demo itself", [
      `${mark(before.passed)} before the work: ${before.counts}`,
      `${mark(after.passed)} now:             ${after.counts}`,
      ...(after.passed ? [] : linesOf(after.output)),
    ]),
    ...[...record]
      .filter(([path]) => path.endsWith(".md"))
      .flatMap(([path, text]) => section(path, linesOf(text))),
    ...section(`Result, after ${renderExactDuration(facts.wholeMs)}`, [
      `${mark(after.passed)} ${describeTests(after)}`,
      isRecorded(record) ? "✓ Plan, log and decisions are written." : "✗ Plan, log or decisions are missing.",
      "",
      ...wrap(about),
      "To look around in it:     opencode-gaia demo --keep",
      "With a model of yours:    opencode-gaia demo --model provider/model",
      "In a project of yours:    opencode plugin opencode-gaia, then choose the agent gaia in opencode",
    ]),
  ];
}

function section(title: string, lines: readonly string[]): string[] {
  return ["", `── ${title}`, ...lines];
}

/** The lines of a text that say something, not too many and none too long. */
function linesOf(text: string): string[] {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const rest = lines.length - MAX_LINES;
  const shown = lines.slice(0, MAX_LINES).flatMap((line) => wrap(line));
  return rest <= 0 ? shown : [...shown, `… ${rest} more`];
}

function describeTests({ passed, tampered }: TestRun): string {
  if (tampered) return `${ACCEPTANCE}, which describes the feature, was changed: that does not count.`;
  return passed ? "The feature's tests pass." : "The sample's tests still fail.";
}
