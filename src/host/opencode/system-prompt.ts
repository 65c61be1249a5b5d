import type { Hooks } from "@opencode-ai/plugin";
import { recordOf } from "../../lib/json.ts";
import type { SystemPrompt } from "../hook-events.ts";

type Arguments = Parameters<NonNullable<Hooks["experimental.chat.system.transform"]>>;

/**
 * The system prompt of a request: one text, in which the agent's prompt stands first, then the environment, the
 * project's instructions and skills. OpenCode sends each text of the list as a message of its own.
 */
export function openSystemPrompt({ sessionID, model }: Arguments[0], { system }: Arguments[1]): SystemPrompt {
  return {
    sessionId: sessionID ?? null,
    parts: system,
    add: (text) => void system.push(text),
    moveToEnd(opening) {
      const [first = ""] = system;
      if (opening === "" || !first.startsWith(`${opening}\n`)) return;
      const rest = first.slice(opening.length + 1);
      if (marksCache(model)) system.splice(0, 1, rest, opening);
      else system[0] = `${rest}\n\n${opening}`;
    },
  };
}

/**
 * Whether OpenCode marks the end of each system message as a place up to which the provider caches: such a provider
 * finds a beginning again only where one of its messages ends. All others compare bytes, and templates of local models
 * may take no second system message.
 */
function marksCache(model: Arguments[0]["model"] | undefined): boolean {
  const { id, providerID, api } = recordOf(model);
  return /anthropic|claude/.test([id, providerID, recordOf(api)["id"], recordOf(api)["npm"]].join(" "));
}
