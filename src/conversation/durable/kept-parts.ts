import { describeError } from "../../lib/error.ts";
import { isRecord, recordOf } from "../../lib/json.ts";
import type { Logger } from "../../lib/logger.ts";
import type { Part } from "../part.ts";

/** What one part may keep, in characters of JSON: all of it travels with every change of its session. */
const MAX_KEPT = 8_000;

/** The parts of a conversation by name, in the order of the registry. */
export type NamedParts = readonly (readonly [name: string, part: Part])[];

/** What the parts of one conversation keep over a restart, as it stands in the metadata of its session. */
export interface KeptParts {
  readonly version: 1;
  /** The conversation: a fork comes with the metadata of its original, whose tasks and reviews are not its own. */
  readonly rootSession: string;
  readonly parts: Readonly<Record<string, unknown>>;
}

/** What each part wants to find again after a restart; one that fails, or keeps too much, takes no other down. */
export function keepParts(rootSession: string, list: NamedParts, logger: Logger): KeptParts {
  const kept = list.flatMap(([name, part]): [string, unknown][] => {
    try {
      const value = part.snapshot?.();
      if (value === undefined || value === null) return [];
      if (JSON.stringify(value).length <= MAX_KEPT) return [[name, value]];
      logger.log("error", name, `Too much to be kept over a restart (${MAX_KEPT} characters at most).`);
    } catch (error) {
      logger.log("error", name, `Nothing is kept over a restart: ${describeError(error)}`);
    }
    return [];
  });
  return { version: 1, rootSession, parts: Object.fromEntries(kept) };
}

/**
 * Gives each part what it kept, before anything else is asked of it. Metadata are no human's word and may be damaged: each
 * part checks what it gets, and begins anew where that throws.
 * @param saved the value under `PARTS_KEY`
 */
export function restoreParts(saved: unknown, rootSession: string, list: NamedParts, logger: Logger): void {
  const { rootSession: owner, parts } = recordOf(saved);
  if (owner !== rootSession || !isRecord(parts)) return;
  for (const [name, part] of list) {
    if (!Object.hasOwn(parts, name)) continue;
    try {
      part.restore?.(parts[name]);
    } catch (error) {
      logger.log("warn", name, `What was kept could not be used: ${describeError(error)}`, { rootSession });
    }
  }
}
