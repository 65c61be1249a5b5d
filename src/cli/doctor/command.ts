import { createError } from "../../lib/error.ts";
import type { Command } from "../command.ts";
import { readOwnPackage } from "../own-package.ts";
import { parseFlags } from "../parse-flags.ts";
import { examine } from "./checks/registry.ts";
import { gatherFacts } from "./gather.ts";
import { buildReport, renderReport } from "./report.ts";
import { createRunOpenCode, type RunOpenCode } from "./run-open-code.ts";

const DEFAULT_SECONDS = 30;
const MAX_SECONDS = 600;
/** How a shell reports that Ctrl-C ended a program. */
const INTERRUPTED = 130;

const HELP = `opencode-gaia doctor [--verbose] [--json] [--timeout seconds]

Examines the set-up of this folder: versions, whether OpenCode lists the plugin and really loads
it (OpenCode is started for that; no model is asked), the panel in tui.json, configuration, models
of every agent, disabled and overridden agents, custom specialists, ripgrep, the record, and what
GAIA adds to a request. Every problem comes with what to do about it.

  --verbose          Also each agent's model and every effective setting with its source.
  --json             The whole report as one JSON document, for scripts.
  --timeout seconds  How long each call of OpenCode may take; default ${DEFAULT_SECONDS}.
  --help             This text.

Exit code 0: nothing worse than a warning. 1: at least one error.`;

/** `opencode-gaia doctor` (SPEC 13). */
export const doctor: Command = {
  name: "doctor",
  summary: "examine the set-up and say how to fix what is wrong",
  async run(args, print) {
    const options = readOptions(args);
    if (options.help) {
      print(HELP);
      return 0;
    }
    const interrupt = new AbortController();
    const stop = (): void => {
      interrupt.abort();
    };
    process.once("SIGINT", stop);
    process.once("SIGTERM", stop);
    try {
      const directory = process.cwd();
      // Beside the report, which scripts read.
      const tell = (text: string): void => void (options.json || process.stderr.write(`${text}\n`));
      const ask = createRunOpenCode({
        directory,
        environment: process.env,
        limit: options.seconds * 1_000,
        interrupt: interrupt.signal,
      });
      const run: RunOpenCode = async (asked) => {
        tell(`… opencode ${asked.join(" ")}`);
        return ask(asked);
      };
      tell(`Looking at ${directory}; OpenCode is started for it, which takes some seconds.`);
      const own = await readOwnPackage();
      const node = process.versions.node;
      const facts = await gatherFacts({ own, directory, environment: process.env, node, run });
      if (interrupt.signal.aborted) return INTERRUPTED;
      const report = buildReport(facts, examine(facts), process.env);
      print(options.json ? JSON.stringify(report, null, 2) : renderReport(report, options.verbose));
      return report.healthy ? 0 : 1;
    } finally {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    }
  },
};

function readOptions(args: readonly string[]) {
  const {
    help = false,
    json = false,
    verbose = false,
    timeout,
  } = parseFlags("doctor", args, {
    help: { type: "boolean", short: "h" },
    json: { type: "boolean" },
    verbose: { type: "boolean", short: "v" },
    timeout: { type: "string" },
  });
  const seconds = Number(timeout ?? DEFAULT_SECONDS);
  if (!(seconds > 0 && seconds <= MAX_SECONDS)) {
    throw createError(
      "doctor",
      `--timeout is a number of seconds up to ${MAX_SECONDS}, not "${timeout ?? ""}".`,
    );
  }
  return { help, json, verbose, seconds };
}
