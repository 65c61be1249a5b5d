import type { FormatFiles } from "../../../host/tool.ts";
import type { Host } from "../../../host/port.ts";
import { describeError } from "../../../lib/error.ts";
import type { ContainedPrograms } from "../../../sandbox/programs.ts";
import type { Clock } from "../../../lib/clock.ts";

/** With what formatters are found and run. */
export interface FormatInput {
  readonly host: Pick<Host, "formatters" | "worktree" | "logger">;
  readonly contained: ContainedPrograms;
  readonly clock: Clock;
  readonly environment: NodeJS.ProcessEnv;
}

/** The host's formatters for what the plugin's tools write; looked for at the first write, and where none is on nothing is loaded. */
export function openFormatting(input: FormatInput): FormatFiles {
  const { host } = input;
  let known: ReturnType<typeof host.formatters> | null = null;
  return async (files, place, signal) => {
    try {
      known ??= host.formatters();
      const formatters = await known;
      if (formatters === null) {
        known = null;
        return ["Not formatted: OpenCode did not tell its formatters."];
      }
      if (formatters.length === 0) return [];
      const { runFormatters } = await import("./run.ts");
      const said = await runFormatters(files, formatters, { ...input, place, signal });
      for (const each of said) host.logger.log("debug", "formatting", each);
      return said;
    } catch (error) {
      return [`Not formatted: ${describeError(error)}`];
    }
  };
}
