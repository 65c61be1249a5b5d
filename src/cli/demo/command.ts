import { parseArgs } from "node:util";
import { createError, describeError } from "../../lib/error.ts";
import type { Command } from "../command.ts";
import { runDemo, type DemoOptions } from "./run.ts";

const HELP = `opencode-gaia demo [--model provider/model] [--keep]

Runs GAIA on a small sample project in the real OpenCode: recon, plan, implementation,
tests, checks, red team, commit and record. Takes about half a minute.

  --model provider/model  Use this model, with your own OpenCode configuration and
                          credentials. It costs tokens and takes minutes. Without it a
                          scripted model answers: no API key, no network.
  --keep                  Keep the sample project and print where it is.
  --help                  This text.

Exit code 0 means: the feature's tests pass and the record is written.`;

/** How a shell reports that Ctrl-C ended a program. */
const INTERRUPTED = 130;

/** `opencode-gaia demo` (SPEC 13). */
export const demo: Command = {
  name: "demo",
  summary: "watch GAIA build a feature in a sample project; no API key needed",
  async run(args, print) {
    const options = parseOptions(args);
    if (options === "help") {
      print(HELP);
      return 0;
    }
    const interrupt = new AbortController();
    const onSignal = (): void => {
      interrupt.abort(createError("demo", "Interrupted."));
    };
    process.once("SIGINT", onSignal).once("SIGTERM", onSignal);
    try {
      return (await runDemo(options, print, interrupt.signal)) ? 0 : 1;
    } catch (error) {
      if (!interrupt.signal.aborted) throw error;
      print("Interrupted; everything that ran is stopped and removed.");
      return INTERRUPTED;
    } finally {
      process.off("SIGINT", onSignal).off("SIGTERM", onSignal);
    }
  },
};

/** @throws GaiaError on an unknown option, or a model that is not `provider/model` */
function parseOptions(args: readonly string[]): DemoOptions | "help" {
  const { help, model, keep } = readFlags(args);
  if (help) return "help";
  if (model !== undefined && !/^[^/]+\/.+$/.test(model)) {
    throw createError("demo", `"${model}" is no model.`, {
      hint: 'Write it as provider/model; "opencode models" lists yours.',
    });
  }
  return { model: model ?? null, keep };
}

function readFlags(args: readonly string[]): { help: boolean; keep: boolean; model: string | undefined } {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        help: { type: "boolean", short: "h" },
        keep: { type: "boolean" },
        model: { type: "string" },
      },
    });
    return { help: values.help ?? false, keep: values.keep ?? false, model: values.model };
  } catch (error) {
    throw createError("demo", describeError(error), { cause: error, hint: "See opencode-gaia demo --help." });
  }
}
