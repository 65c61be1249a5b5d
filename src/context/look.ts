import { renderProblem, type ConfigProblem } from "../config/problem.ts";
import type { Host } from "../host/port.ts";
import { bounded } from "../lib/bounded.ts";
import type { Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";

/** How long a turn waits for such files, in milliseconds. */
const PATIENCE_MS = 4_000;
/** More lines than this do not fit into a toast. */
const MAX_LINES = 3;

export interface LookInput extends Pick<Host, "logger" | "toast"> {
  readonly clock: Clock;
  readonly what: "rules" | "skills";
}

/** A look at files of the project's as they are now; shows the user what cannot be used, each problem once. Never rejects. */
export function createLook<T extends { readonly problems: readonly ConfigProblem[] }>(
  { logger, toast, clock, what }: LookInput,
  load: () => Promise<T | null>,
): () => Promise<T | null> {
  const told = new Set<string>();
  return async () => {
    try {
      const found = await bounded(load(), PATIENCE_MS, clock, `${what} of the project`);
      const fresh = (found?.problems ?? []).map(renderProblem).filter((line) => !told.has(line));
      for (const line of fresh) {
        told.add(line);
        logger.log("warn", what, line);
      }
      const title = `${what === "rules" ? "Rules" : "Skills"} of this project:`;
      const more = fresh.length > MAX_LINES ? ["… and more in OpenCode's log."] : [];
      if (fresh.length > 0) void toast("warning", [title, ...fresh.slice(0, MAX_LINES), ...more].join("\n"));
      return found;
    } catch (error) {
      logger.log("warn", what, describeError(error));
      return null;
    }
  };
}
