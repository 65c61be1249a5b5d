import { createError } from "../../lib/error.ts";
import type { Command } from "../command.ts";
import { parseFlags } from "../parse-flags.ts";
import { runDemo, type DemoOptions } from "./run.ts";

/** How long it may take, in minutes: a scripted model never thinks. */
const SCRIPTED_MINUTES = 5;
const REAL_MINUTES = 45;
const MAX_MINUTES = 600;

/** How a shell reports that Ctrl-C ended a program. */
const INTERRUPTED = 130;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const HELP = `opencode-gaia demo [--model provider/model] [--minutes n] [--keep]

Runs GAIA on a small sample project in the real OpenCode: recon, plan, implementation,
tests, checks, red team, commit and record. Takes about half a minute.

  --model provider/model  Use this model, with your own OpenCode configuration and
                          credentials. It costs tokens and takes minutes. Without it a
                          scripted model answers: no API key, no network.
  --minutes n             Give up after n minutes; default ${SCRIPTED_MINUTES}, with --model ${REAL_MINUTES}.
  --keep                  Keep the sample project and print where it is.
  --help                  This text.

Exit code 0 means: the feature's tests pass, and plan, log and decisions are written.`;

/** `opencode-gaia demo` (SPEC 13). */
export const demo: Command = {
  name: "demo",
  summary: "watch GAIA build a feature in a sample project; no API key needed",
  async run(args, print) {
    const options = parseDemoOptions(args);
    if (options === "help") {
      print(HELP);
      return 0;
    }
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
export function parseDemoOptions(args: readonly string[]): DemoOptions | "help" {
  const {
    help = false,
    model,
    keep = false,
    minutes,
  } = parseFlags("demo", args, {
    help: { type: "boolean", short: "h" },
    keep: { type: "boolean" },
    model: { type: "string" },
    minutes: { type: "string" },
  });
  if (help) return "help";
  if (model !== undefined && !/^[^/\s]+\/\S+$/.test(model)) {
    throw createError("demo", `"${model}" is no model.`, {
      hint: 'Write it as provider/model; "opencode models" lists yours.',
    });
  }
  const limit = Number(minutes ?? (model === undefined ? SCRIPTED_MINUTES : REAL_MINUTES));
  if (!(limit > 0 && limit <= MAX_MINUTES)) {
    throw createError("demo", `--minutes is a number up to ${MAX_MINUTES}, not "${minutes ?? ""}".`);
  }
  return { model: model ?? null, keep, minutes: limit };
}
