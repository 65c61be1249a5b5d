import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { useTerminalDimensions } from "@opentui/solid";
import { createMemo } from "solid-js";
import { conversationOf } from "./conversation.ts";
import { element } from "./element.ts";
import { renderLine } from "./panel.ts";
import { oneLine } from "./panel-lines.ts";

/** OpenCode shows its sidebar in terminals that are wider than this. */
const WIDEST = 120;
/** What is left to it beside the agent and the model, in columns, at least. */
const BESIDE = 40;
const FEWEST = 24;

/** Where the terminal is too narrow for the sidebar, one line beside the prompt says the most of it. */
export function registerStatusLine(api: TuiPluginApi, report: (error: unknown) => void): void {
  api.slots.register({
    slots: {
      session_prompt_right(_context, { session_id: sessionId }) {
        const screen = useTerminalDimensions();
        const line = createMemo(() => {
          const { width } = screen();
          if (width > WIDEST) return null;
          try {
            const conversation = conversationOf(api, sessionId);
            return conversation && oneLine(conversation.model, Math.max(FEWEST, width - BESIDE));
          } catch (error) {
            report(error);
            return null;
          }
        });
        return createMemo(() => {
          const shown = line();
          return shown === null ? undefined : element("box", {}, renderLine(api, shown));
        });
      },
    },
  });
}
