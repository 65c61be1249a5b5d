import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { createError, describeError } from "../../lib/error.ts";
import type { Print } from "../command.ts";
import { writePage } from "../write-page.ts";
import { createOpenCodeApi } from "./api.ts";
import { hermeticEnvironment } from "./hermetic-environment.ts";
import { play } from "./play.ts";
import { createSample, readRecord } from "./sample.ts";
import { openStage, type Stage } from "./stage.ts";
import { renderIntroduction, renderTour, succeeded, type TourFacts } from "./tour.ts";

export interface DemoOptions {
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  readonly keep: boolean;
  /** How long all of it may take, in minutes. */
  readonly minutes: number;
}

/**
 * The whole demo: sample, OpenCode, GAIA's work, tour. Leaves nothing behind, except the sample when it is to be kept.
 * @param interrupt aborts when the user has had enough
 * @returns whether the feature's tests pass and the record is written
 * @throws GaiaError when something that the demo needs is missing, or it does not finish in time
 */
export async function runDemo(
  { model, keep, minutes }: DemoOptions,
  print: Print,
  interrupt: AbortSignal,
): Promise<boolean> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-demo-")));
  const [home, directory] = [join(root, "home"), join(root, "errands")];
  const signal = AbortSignal.any([interrupt, timeLimit(minutes)]);
  let stage: Stage | null = null;
  let page = "";
  try {
    print(renderIntroduction(model).join("\n"));
    const sample = await createSample(directory);
    const before = await sample.test();
    print(`Sample project  ${directory}`);
    print(`Its tests       ${before.counts}: one feature is missing, and a test describes it`);
    stage = await openStage(home, directory, model, signal);
    print(`OpenCode        ${stage.version}\n`);
    const api = createOpenCodeApi(stage.url, directory);
    const asked = systemClock.now();
    const session = await play(api, stage, directory, print, signal);
    const facts: TourFacts = {
      model,
      before,
      wholeMs: systemClock.now() - asked,
      after: await sample.test(),
      record: readRecord(directory),
      commits: await sample.commits(),
      stat: await sample.diff(["--stat=80"], "."),
      diff: await sample.diff(["--unified=1"], "src"),
    };
    print(renderTour(facts).join("\n"));
    // What proves the work is sealed with the key of the one whose OpenCode ran it.
    const whose = model === null ? hermeticEnvironment(home) : process.env;
    if (keep) page = await writePage(directory, whose).catch(describeError);
    if (model !== null && !keep) await api.call("DELETE", `/session/${session}`);
    return succeeded(facts);
  } finally {
    await stage?.close();
    await rm(keep ? home : root, { recursive: true, force: true, maxRetries: 5 });
    print(
      keep
        ? `\nThe sample project stays in ${directory}${page === "" ? "" : `\nWhat was done there and what it cost, as a page:\n${page}`}`
        : "\nWith --keep the sample project stays, with a page that shows all of it.",
    );
  }
}

function timeLimit(minutes: number): AbortSignal {
  const limit = new AbortController();
  systemClock.after(minutes * 60_000, () => {
    limit.abort(createError("demo", `The demo was not over within ${minutes} minutes.`));
  });
  return limit.signal;
}
