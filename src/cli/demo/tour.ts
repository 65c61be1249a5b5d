import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Print } from "../command.ts";
import type { OpenCodeApi } from "./api.ts";
import { hasRecord, listRecord } from "./record.ts";
import type { Sample, TestRun } from "./sample.ts";
import { readUsage, renderUsage } from "./usage.ts";

export interface TourOptions {
  readonly sample: Sample;
  readonly api: OpenCodeApi;
  /** GAIA's session. */
  readonly session: string;
  /** The tests as they were before the work. */
  readonly before: TestRun;
  readonly scripted: boolean;
  readonly print: Print;
}

/**
 * Shows what GAIA left behind, and proves it: the tests are run here once more, by nobody's word.
 * @returns whether the tests pass and the record is written
 */
export async function showTour({
  sample,
  api,
  session,
  before,
  scripted,
  print,
}: TourOptions): Promise<boolean> {
  print(heading("What changed (git diff)"));
  print((await sample.commits()) || "No commit.\n");
  print(await sample.diff());
  print(heading("The sample's tests, run by the demo itself"));
  const tests = await sample.test();
  print(tests.output.trimEnd());
  print(heading("The record"));
  for (const line of await renderRecord(sample.directory)) print(line);
  print(heading("Who used what"));
  print(renderUsage(await readUsage(api, session)));
  if (scripted) print("Tokens are counted at four characters each; the scripted model costs nothing.");
  const recorded = await hasRecord(sample.directory);
  print(heading("Result"));
  print(`${mark(tests.passed)} the feature is ${tests.passed ? "there" : "not there"}`);
  print(`  tests before: ${before.counts}; now: ${tests.counts}`);
  print(`${mark(recorded)} the record is ${recorded ? "written" : "incomplete"}`);
  print("\nIn your own project: opencode plugin opencode-gaia, then opencode, and choose the agent gaia.");
  return tests.passed && recorded;
}

async function renderRecord(directory: string): Promise<string[]> {
  const files = await listRecord(directory);
  const lines = [...files];
  for (const file of files.filter((name) => /\/(?:log|decisions|learnings)\.md$/.test(name))) {
    const text = await readFile(join(directory, file), "utf8");
    const quoted = text.trim().split("\n");
    lines.push("", file, ...quoted.map((line) => `  │ ${line}`));
  }
  return lines;
}

function heading(title: string): string {
  return `\n── ${title} ${"─".repeat(Math.max(3, 76 - title.length))}`;
}

function mark(good: boolean): string {
  return good ? "✓" : "✗";
}
