import { WIDTH, wrap } from "./layout.ts";
import type { Paint } from "./paint.ts";
import type { TestRun } from "./sample.ts";
import { renderCounts } from "./test-counts.ts";

const SCRIPTED = [
  "Every answer of the model was written beforehand, and is played back by a small server on this machine: no " +
    "API key, no network, no cost. Nobody thinks here.",
  "Real are OpenCode, the plugin, the agents and their permissions, every file that is edited, every command, " +
    "every test run, the commit and the record. The demo plays you, and says yes to each permission request.",
];

/** What the reader should know before it starts. @param model `provider/model`, or null for the scripted one */
export function renderIntroduction(model: string | null, paint: Paint): string[] {
  const real =
    `It runs in your own OpenCode, with your configuration and credentials, and costs what ${model ?? ""} costs. ` +
    "The demo plays you: it says yes to what happens inside the sample project, and takes the first answer to a question.";
  return [
    paint.bold("GAIA takes one feature request through her whole pipeline, in the real OpenCode."),
    "",
    model === null ? paint.user("The model is SCRIPTED.") : paint.user(`The model is ${model}.`),
    ...(model === null ? SCRIPTED : [real]).flatMap((text) => wrap(text, WIDTH)),
    "",
  ];
}

/** The sample project as it is before the work. */
export function renderSample(directory: string, before: TestRun): string[] {
  return [
    `Sample project  ${directory}`,
    `Its tests       ${renderCounts(before.counts)}: one feature is missing, and a test describes it`,
  ];
}
