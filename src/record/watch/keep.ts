import type { ResolvedConfig } from "../../config/schema.ts";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import { personName } from "../../lib/person.ts";
import type { Knowledge } from "../entries/open.ts";
import type { RecallKind } from "../recall/entry.ts";
import type { Recall } from "../recall/recall.ts";
import type { WatchInput } from "./watch.ts";

const DECISIONS = new Set<RecallKind>(["decision"]);

/** Where a watch looks up decisions and writes what it sees; `learn` of the configuration. */
interface Keeping extends Pick<ResolvedConfig, "learn"> {
  readonly memory: { readonly recall: Pick<Recall, "search"> };
  readonly knowledge: Pick<Knowledge, "propose" | "settle">;
  readonly host: { readonly logger: Logger };
}

/**
 * Writes what a watch sees as proposals, one after the other: each sees what was proposed before it.
 * @param unit the work unit that it is about
 */
export function keepSeen({ memory, knowledge, learn, host: { logger } }: Keeping, unit: () => string | null) {
  let writing: Promise<void> = Promise.resolve();
  const keep: Pick<WatchInput, "propose" | "decidedBefore"> = {
    propose({ isOwnWords, ...draft }) {
      const [source, by] = [unit(), isOwnWords ? personName() : "GAIA"];
      const write = async (): Promise<void> => {
        const entry = await knowledge.propose({ ...draft, by, source });
        if (isOwnWords && learn === "own-words")
          await knowledge.settle({ entry, status: "accepted", reason: "", by });
      };
      // What is known, waits or was declined is refused.
      writing = writing.then(write).catch((error: unknown) => {
        logger.log("debug", "learnings", describeError(error));
      });
    },
    async decidedBefore(question) {
      const hits = await memory.recall.search(question, { kinds: DECISIONS, prefix: false });
      // In the same unit it is the same question.
      return hits.filter(({ entry }) => entry.unit !== unit()).map(({ entry }) => entry.text);
    },
  };
  return { ...keep, settled: async (): Promise<void> => writing };
}
