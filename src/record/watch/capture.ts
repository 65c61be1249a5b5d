import type { ResolvedConfig } from "../../config/schema.ts";
import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Observations } from "../documents/proposals.ts";

/** More than this in one stretch is noise: the rest of it is dropped. */
const MAX_WAITING = 30;

/**
 * Proposes what facts of a conversation have shown (SPEC 10). Every call returns at once; writing happens later, in one go,
 * and a failure to write is only logged.
 * @param noting `debounceMs`: how long observations are gathered before they are written together
 */
export function createCapture(
  observe: (observations: Observations) => Promise<{ ok: boolean; error?: string }>,
  { debounceMs }: Pick<ResolvedConfig["capture"], "debounceMs">,
  clock: Clock,
  logger: Logger,
) {
  let learnings: Observations["learnings"] = [];
  let cancel: (() => void) | null = null;
  let writing: Promise<void> = Promise.resolve();

  const write = async (): Promise<void> => {
    cancel?.();
    cancel = null;
    if (learnings.length === 0) return;
    const observed = learnings;
    learnings = [];
    try {
      const result = await observe({ learnings: observed });
      if (!result.ok) logger.log("warn", "capture", result.error ?? "");
    } catch (error) {
      logger.log("warn", "capture", describeError(error));
    }
  };

  return {
    /** As one sentence. */
    propose(kind: "correction" | "insight", text: string): void {
      if (learnings.length < MAX_WAITING) learnings = [...learnings, { kind, text }];
      cancel?.();
      cancel = clock.after(debounceMs, () => {
        writing = write();
      });
    },
    /** Writes now what waits, for the end of the process. */
    async flush(): Promise<void> {
      await writing;
      await write();
    },
  };
}
