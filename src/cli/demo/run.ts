import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { createError } from "../../lib/error.ts";
import type { Print } from "../command.ts";
import { createOpenCodeApi, type OpenCodeApi } from "./api.ts";
import { renderIntroduction, renderSample } from "./introduction.ts";
import { duration } from "./layout.ts";
import type { Paint } from "./paint.ts";
import { play } from "./play.ts";
import { hasRecord, listRecord } from "./record.ts";
import { createSample, type Sample, type TestRun } from "./sample.ts";
import { openStage, type Stage } from "./stage.ts";
import { renderTour, succeeded, type TourFacts } from "./tour.ts";
import { readUsage } from "./usage.ts";

export interface DemoOptions {
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  readonly keep: boolean;
  /** How long all of it may take, in minutes. */
  readonly minutes: number;
}

export interface DemoTools {
  readonly print: Print;
  readonly paint: Paint;
  /** Aborts when the user has had enough. */
  readonly interrupt: AbortSignal;
}

/**
 * The whole demo: sample, OpenCode, GAIA's work, tour. Leaves nothing behind, except the sample when it is to be kept.
 * @returns whether the feature's tests pass and the record is written
 * @throws GaiaError when something that the demo needs is missing, or it does not finish in time
 */
export async function runDemo(options: DemoOptions, tools: DemoTools): Promise<boolean> {
  const { print, paint } = tools;
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-demo-")));
  const sampleFolder = join(root, "errands");
  const signal = AbortSignal.any([tools.interrupt, timeLimit(options.minutes)]);
  let stage: Stage | null = null;
  try {
    say(print, renderIntroduction(options.model, paint));
    const sample = await createSample(sampleFolder);
    const before = await sample.test();
    say(print, renderSample(sampleFolder, before));
    const begin = systemClock.now();
    stage = await openStage({
      home: join(root, "home"),
      directory: sampleFolder,
      model: options.model,
      signal,
    });
    const ready = duration(systemClock.now() - begin);
    print(`OpenCode        ${stage.version}, started in ${ready}\n`);
    const api = createOpenCodeApi(stage.url, sampleFolder);
    const asked = systemClock.now();
    const session = await play({ api, stage, directory: sampleFolder, print, paint, signal });
    const wholeMs = systemClock.now() - asked;
    const scripted = options.model === null;
    const facts = { ...(await gather(sample, api, session)), before, scripted, wholeMs };
    say(print, renderTour(facts, paint));
    if (!scripted && !options.keep) await api.call("DELETE", `/session/${session}`);
    return succeeded(facts);
  } finally {
    await stage?.close();
    await rm(options.keep ? join(root, "home") : root, { recursive: true, force: true, maxRetries: 5 });
    if (options.keep) print(`\nThe sample project stays in ${sampleFolder}`);
  }
}

async function gather(
  sample: Sample,
  api: OpenCodeApi,
  session: string,
): Promise<Omit<TourFacts, "before" | "scripted" | "wholeMs">> {
  const after: TestRun = await sample.test();
  const { directory } = sample;
  const record = (await listRecord(directory)).map(async (path) => ({
    path,
    text: await readFile(join(directory, path), "utf8"),
  }));
  return {
    after,
    record: await Promise.all(record),
    recorded: await hasRecord(directory),
    commits: await sample.commits(),
    stat: await sample.diff(["--stat=80"], "."),
    diff: await sample.diff(["--unified=1"], "src"),
    usage: await readUsage(api, session),
  };
}

function timeLimit(minutes: number): AbortSignal {
  const limit = new AbortController();
  systemClock.after(minutes * 60_000, () => {
    limit.abort(createError("demo", `The demo was not over within ${minutes} minutes.`));
  });
  return limit.signal;
}

function say(print: Print, lines: readonly string[]): void {
  print(lines.join("\n"));
}
