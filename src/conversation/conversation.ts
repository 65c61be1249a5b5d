import { describeError } from "../lib/error.ts";
import type { Logger } from "../lib/logger.ts";
import { createCore, type ConversationCore, type CoreInput } from "./core.ts";
import type { EachPart, Part } from "./part.ts";
import type { CollaborationState } from "./collaboration/state.ts";
import { createParts, type Parts } from "./parts.ts";
import type { ConversationServices } from "./services.ts";

/** One GAIA conversation: its state, and every feature that remembers something of it. */
export interface Conversation extends ConversationCore {
  readonly parts: Parts;
  dispose(): void;
}

export function createConversation(
  start: CollaborationState,
  services: ConversationServices,
  input: Omit<CoreInput, "each">,
): Conversation {
  const list: [name: string, part: Part][] = [];
  const each = createEach(list, services.host.logger);
  const core = createCore(start, services, { ...input, each });
  const parts = createParts(core, services);
  list.push(...Object.entries(parts));
  // The core's own properties are getters, so it is extended and not copied.
  return Object.assign(core, {
    parts,
    dispose() {
      each((part) => part.dispose?.());
      core.close();
    },
  });
}

function createEach(list: readonly (readonly [string, Part])[], logger: Logger): EachPart {
  return (call) => {
    for (const [name, part] of list) {
      try {
        call(part);
      } catch (error) {
        logger.log("error", name, describeError(error));
      }
    }
  };
}
