import { createCore, type ConversationCore, type CoreInput } from "./core.ts";
import type { Part } from "./part.ts";
import { renderPacketForUser } from "./collaboration/checkin-packet.ts";
import type { CollaborationState } from "./collaboration/state.ts";
import { createParts, type Parts } from "./parts.ts";
import type { ConversationServices } from "./services.ts";
import { followTree, type WorkTree } from "../work-tree/work-tree.ts";

/** One GAIA conversation: its state, and every feature that remembers something of it. */
export interface Conversation extends ConversationCore {
  readonly parts: Parts;
  /** Where the work that it is at stands. */
  readonly tree: WorkTree;
  dispose(): void;
}

/** Makes the parts that extras have in a conversation, by name. */
export type CreateExtras = (
  conversation: ConversationCore,
  services: ConversationServices,
  parts: Parts,
) => Readonly<Record<string, Part>>;

export function createConversation(
  start: CollaborationState,
  services: ConversationServices,
  createExtras: CreateExtras,
  input: Omit<CoreInput, "list" | "renderCheckin">,
): Conversation {
  const list: [name: string, part: Part][] = [];
  const core = createCore(start, services, {
    ...input,
    list,
    renderCheckin(packet) {
      const changed = parts.ownWork.changedLines();
      // A run ticks the task that it is about only afterwards.
      return async () => {
        const lines = await changed;
        return renderPacketForUser(packet, (await parts.progress.settled())?.next, lines);
      };
    },
  });
  const tree = followTree(services, () => services.treeOf(core.state.workUnit));
  const own = { ...services, ...tree };
  const parts = createParts(core, own);
  // The turns are the last: what a turn has done is known to all before its end is told, and something else may begin.
  const { turns, restart: _restart, ...others } = parts;
  list.push(...Object.entries({ ...others, ...createExtras(core, own, parts), turns }));
  // The core's own properties are getters, so it is extended and not copied.
  return Object.assign(core, {
    parts,
    tree,
    dispose() {
      core.each((part) => part.dispose?.());
      core.close();
    },
  });
}
