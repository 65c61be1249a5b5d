import type { Knobs } from "../../config/knobs.ts";
import { type CollaborationDefaults, initialKnobs } from "../collaboration/defaults.ts";
import type { CollaborationState } from "../collaboration/state.ts";
import type { ConversationCore } from "../core.ts";
import type { WorkStore } from "../own-work/store.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";

/** How much runs unasked. */
const RANKS: Readonly<Record<Knobs["mode"], number>> = { locked: 0, supervised: 1, autopilot: 2 };

/** Remembers in the user's own data which mode they have set in a conversation. */
export function createKnownMode(
  conversation: Pick<ConversationCore, "rootId" | "state">,
  { workStore }: Pick<ConversationServices, "workStore">,
): Part {
  let known = conversation.state.knobs.mode;
  return {
    heard() {
      const { mode } = conversation.state.knobs;
      if (mode === known) return;
      known = mode;
      workStore.save(nameOf(conversation.rootId), () => ({ mode }));
    },
  };
}

/**
 * What a session's metadata say of the mode, as far as it has power here. They may have come with a session of somebody else's
 * (`opencode import`), and more runs unasked than by default only where the user has said so on this machine.
 * @param from the conversation that wrote them: this one, or the one that it is a fork of
 */
export async function asSetHere(
  state: CollaborationState,
  from: string,
  defaults: CollaborationDefaults,
  store: WorkStore,
): Promise<CollaborationState> {
  const { rootSession, knobs } = state;
  const { mode } = initialKnobs(defaults);
  if (RANKS[knobs.mode] <= RANKS[mode]) return state;
  const { mode: own } = await store.load(nameOf(from));
  if (own !== knobs.mode) return { ...state, knobs: { ...knobs, mode } };
  if (from !== rootSession) store.save(nameOf(rootSession), () => ({ mode: own }));
  return state;
}

function nameOf(rootId: string): string {
  return `mode-${rootId}`;
}
