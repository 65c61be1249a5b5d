import { HANDSHAKE_HEADER, isHandshakeDue } from "../collaboration/handshake.ts";
import type { CollaborationDefaults } from "../collaboration/defaults.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { Conversation } from "../conversation.ts";

const ASK = `call question with header "${HANDSHAKE_HEADER}" (the plugin fills in the rest)`;
const HINT = `If this needs a plan: first ${ASK}.`;
const REMINDER = `This is new work, and the user has not said yet how to work together on it: ${ASK} before anything changes.`;
/** Operations of `plan_gaia` with which work begins, however quick GAIA was to forget the hint. */
const BEGINNING = new Set(["create_work_unit", "set_active", "open_wave"]);

/** What GAIA is told about the handshake (SPEC 8): in OpenCode, nobody but she can raise a question. */
export interface Handshake {
  /** For the end of a user's message. */
  hint(conversation: Conversation): Promise<string[]>;
  /**
   * For the result of a call with which she began work without asking. It is no refusal: without a handshake every
   * change is asked for by itself, so that a question which never comes hands over nothing and holds up nothing.
   */
  remind(conversation: Conversation, tool: string, args: unknown): Promise<string[]>;
}

export function createHandshake(defaults: CollaborationDefaults): Handshake {
  const isOpen = async ({ state, canAsk }: Conversation): Promise<boolean> =>
    isHandshakeDue(state, defaults) && (await canAsk()) === true;
  return {
    hint: async (conversation) => ((await isOpen(conversation)) ? [HINT] : []),
    async remind(conversation, tool, args) {
      const begins = tool === "plan_gaia" && BEGINNING.has(textOf(recordOf(args)["op"]) ?? "");
      return begins && (await isOpen(conversation)) ? [REMINDER] : [];
    },
  };
}
