import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { effect } from "@opentui/solid";
import { settleRows, staleMessages } from "./stale-rows.ts";

/**
 * Takes the progress off rows of delegations that an OpenCode which was killed has left there, as soon as the conversation is
 * on the screen: nobody is at work, and the server plugin hears of no session that is only looked at.
 */
export function registerStaleRows(api: TuiPluginApi, report: (error: unknown) => void): void {
  const settled = new Set<string>();
  api.slots.register({
    slots: {
      session_prompt_right(_context, { session_id: sessionId }) {
        effect(() => {
          const messages = settled.has(sessionId) ? [] : staleMessages(api, sessionId);
          if (messages.length === 0) return;
          settled.add(sessionId);
          settleRows(api, sessionId, messages).catch(report);
        });
        return undefined;
      },
    },
  });
}
