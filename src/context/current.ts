import { renderProblem, type ConfigProblem } from "../config/problem.ts";
import type { Host } from "../host/port.ts";
import { bounded } from "../lib/bounded.ts";
import type { Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";

/** How long a turn waits for such files, in milliseconds. */
const PATIENCE_MS = 4_000;
/** More lines than this do not fit into a toast. */
const MAX_LINES = 3;

/** What files say that may change at any time. Nothing is looked at before someone asks. */
export interface Current<T> {
  /** As the files are now; null where there are none. Never rejects. */
  now(): Promise<T | null>;
  /** As they were when someone asked last. */
  latest(): Promise<T | null>;
}

interface CurrentInput extends Pick<Host, "logger" | "toast"> {
  readonly clock: Clock;
  readonly what: "rules" | "skills";
}

/** Files of the project's as they are now; shows the user what cannot be used, each problem once. */
export function createCurrent<T extends { readonly problems: readonly ConfigProblem[] }>(
  { logger, toast, clock, what }: CurrentInput,
  load: () => Promise<T | null>,
): Current<T> {
  const told = new Set<string>();
  let latest: Promise<T | null> | null = null;
  let underWay: Promise<T | null> | null = null;
  const look = async (): Promise<T | null> => {
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
  /** Who asks at the same time is answered at the same time, in the order in which they asked. */
  const now = async (): Promise<T | null> => {
    underWay ??= look().finally(() => {
      underWay = null;
    });
    latest = underWay;
    return underWay;
  };
  return { now, latest: async () => latest ?? now() };
}
