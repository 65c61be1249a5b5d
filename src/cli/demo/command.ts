import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { createError, describeError } from "../../lib/error.ts";
import { type Command, parseFlags, type Print } from "../main.ts";
import { howToRun, readOwnPackage } from "../own-package.ts";
import { writePage } from "../report.ts";
import { hermeticEnvironment } from "./environment.ts";
import { createOpenCodeApi } from "./opencode-server.ts";
import { play } from "./play.ts";
import { createSample, readRecord } from "./sample.ts";
import { openStage, type Stage } from "./stage.ts";
import { renderIntroduction, renderTour, succeeded, type TourFacts } from "./tour.ts";

interface DemoOptions {
  /** `provider/model`, or null for the scripted one. */
  readonly model: string | null;
  readonly keep: boolean;
}

/** The whole demo: sample, OpenCode, GAIA's work, tour. Leaves nothing behind, except the sample when it is to be kept. */
async function runDemo({ model, keep }: DemoOptions, print: Print, interrupt: AbortSignal): Promise<boolean> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-demo-")));
  const [home, directory] = [join(root, "home"), join(root, "errands")];
  const signal = AbortSignal.any([interrupt, timeLimit(model === null ? SCRIPTED_MINUTES : REAL_MINUTES)]);
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
    const { session, repairs } = await play(api, stage, directory, print, signal);
    const facts: TourFacts = {
      model,
      before,
      repairs,
      wholeMs: systemClock.now() - asked,
      run: howToRun((await readOwnPackage()).folder),
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

/** How long it may take, in minutes: a scripted model never thinks. */
const SCRIPTED_MINUTES = 5;
const REAL_MINUTES = 45;

/** How a shell reports that Ctrl-C ended a program. */
const INTERRUPTED = 130;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const HELP = `opencode-gaia demo [--model provider/model] [--keep]

Runs GAIA on a small sample project in the real OpenCode: recon, plan, implementation,
tests, checks, red team, commit and record. Takes about half a minute.

  --model provider/model  Use this model, with your own OpenCode configuration and
                          credentials. It costs tokens and takes minutes. Without it a
                          scripted model answers: no API key, no network.
  --keep                  Keep the sample project and print where it is.
  --help                  This text.

Exit code 0 means: the feature's tests pass, and plan, log and decisions are written.`;

/** `opencode-gaia demo` (SPEC 13). */
export const demo: Command = {
  name: "demo",
  summary: "watch GAIA build a feature in a sample project; no API key needed",
  help: HELP,
  async run(args, print) {
    const options = parseDemoOptions(args);
    const interrupt = new AbortController();
    const stop = (): void => {
      interrupt.abort(createError("demo", "Interrupted."));
    };
    // Kept until all is cleaned up: a second Ctrl-C must not leave OpenCode behind.
    for (const signal of SIGNALS) process.on(signal, stop);
    process.stdout.on("error", stop); // The reader is gone, as in `demo | head`.
    try {
      return (await runDemo(options, print, interrupt.signal)) ? 0 : 1;
    } catch (error) {
      if (!interrupt.signal.aborted) throw error;
      print("\nInterrupted. Everything that the demo started is stopped and removed.");
      return INTERRUPTED;
    } finally {
      for (const signal of SIGNALS) process.off(signal, stop);
    }
  },
};

/**
 * Reads the options of `demo`.
 * @throws GaiaError on an unknown option, a model that is not `provider/model`, or minutes that are no time
 */
export function parseDemoOptions(args: readonly string[]): DemoOptions {
  const { model, keep = false } = parseFlags("demo", args, {
    keep: { type: "boolean" },
    model: { type: "string" },
  });
  if (model !== undefined && !/^[^/\s]+\/\S+$/.test(model)) {
    throw createError("demo", `"${model}" is no model.`, {
      hint: 'Write it as provider/model; "opencode models" lists yours.',
    });
  }
  return { model: model ?? null, keep };
}
