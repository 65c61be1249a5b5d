import { followDeed, type Deed, type OpenFailures } from "../../memory/capture/fix.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** Notices when a command that failed passes after changes, and proposes that as a learning (SPEC 10). */
export interface Fixes extends Part {
  /** Takes in what a finished call of this conversation did; returns at once. */
  observeDeeds(deeds: readonly Deed[]): void;
}

export function createFixes({ memory }: Pick<ConversationServices, "memory">): Fixes {
  let failures: OpenFailures = new Map();
  return {
    observeDeeds(deeds) {
      for (const deed of deeds) {
        const { open, fix } = followDeed(failures, deed);
        failures = open;
        if (fix !== null) memory.capture.insight(fix);
      }
    },
  };
}
