import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Print } from "../command.ts";
import { createOpenCodeApi } from "./api.ts";
import { openStage, type Stage } from "./stage.ts";
import { play } from "./play.ts";
import { createSample } from "./sample.ts";
import { REQUEST } from "./script/feature.ts";
import { showTour } from "./tour.ts";

export interface DemoOptions {
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  readonly keep: boolean;
}

/**
 * The whole demo: sample, OpenCode, GAIA's work, tour. Leaves nothing behind, except the sample when it is to be kept.
 * @param interrupt ends it early
 * @returns whether the feature's tests pass and the record is written
 * @throws GaiaError when something that the demo needs is missing, or GAIA does not finish
 */
export async function runDemo(options: DemoOptions, print: Print, interrupt: AbortSignal): Promise<boolean> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-demo-")));
  let stage: Stage | null = null;
  try {
    const sample = await createSample(join(root, "errands"));
    print(introduction(options.model, sample.directory));
    const before = await sample.test();
    print(`Tests before: ${before.counts}\n`);
    stage = await openStage({ root, directory: sample.directory, model: options.model, signal: interrupt });
    const api = createOpenCodeApi(stage.url, sample.directory);
    const session = await play({
      api,
      stage,
      directory: sample.directory,
      model: options.model,
      print,
      interrupt,
    });
    return await showTour({ sample, api, session, before, print, scripted: options.model === null });
  } finally {
    await stage?.close();
    const path = options.keep ? join(root, "home") : root;
    await rm(path, { recursive: true, force: true, maxRetries: 5 });
    if (options.keep) print(`\nThe sample is kept in ${join(root, "errands")}`);
  }
}

function introduction(model: string | null, directory: string): string {
  const who =
    model === null
      ? "The model is SCRIPTED: its words were written beforehand, so this shows what GAIA does, not how well a\n" +
        "model thinks. OpenCode, the plugin, the file edits, the tests and the commit are real."
      : `The model is ${model}, with your own OpenCode configuration.`;
  return `GAIA demo\n\n${who}\n\nSample project: ${directory}\nYou: ${REQUEST}`;
}
