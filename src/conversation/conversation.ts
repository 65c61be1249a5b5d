import { describeError } from "../lib/error.ts";
import type { Logger } from "../lib/logger.ts";
import { createCore, type ConversationCore, type CoreInput } from "./core.ts";
import { keepParts, restoreParts, type EachPart, type Part } from "./part.ts";
import type { CollaborationState } from "./collaboration/state.ts";
import { createParts, type Parts } from "./parts.ts";
import type { ConversationServices } from "./services.ts";
import { followTree, type WorkTree } from "./work-tree/work-tree.ts";

/** One GAIA conversation: its state, and every feature that remembers something of it. */
export interface Conversation extends ConversationCore {
  readonly parts: Parts;
  /** Where the work that it is at stands. */
  readonly tree: WorkTree;
  dispose(): void;
}

export function createConversation(
  start: CollaborationState,
  services: ConversationServices,
  {
    kept,
    ...input
  }: Omit<CoreInput, "each" | "keptParts" | "withChangedLines"> & { readonly kept?: unknown },
  createFeatures: typeof createParts = createParts,
): Conversation {
  const list: [name: string, part: Part][] = [];
  const each = createEach(list, services.host.logger);
  const core = createCore(start, services, {
    ...input,
    each,
    withChangedLines: async (render) =>
      parts.ownWork.packet(async (changed) => {
        await parts.unitProgress.settled();
        return render(changed);
      }),
    keptParts: () => keepParts(start.rootSession, list, services.host.logger),
  });
  const tree = followTree(services, () => services.treeOf(core.state.workUnit));
  const parts = createFeatures(core, { ...services, ...tree });
  list.push(...Object.entries(parts));
  restoreParts(kept, start.rootSession, list, services.host.logger);
  // The core's own properties are getters, so it is extended and not copied.
  return Object.assign(core, {
    parts,
    tree,
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
