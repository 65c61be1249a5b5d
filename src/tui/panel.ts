import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import type { Element } from "@opentui/solid";
import { createMemo, createSignal } from "solid-js";
import { conversationOf } from "./conversation.ts";
import { element } from "./element.ts";
import { panelLines, type Line, type Tone } from "./panel-lines.ts";

/** Behind OpenCode's own "Context" (100), before its MCP servers (200). */
const ORDER = 150;
const TICK_MS = 1_000;

/**
 * The panel in the sidebar. It takes no row in sessions that are not GAIA's. What fails is told to `report` and leaves
 * the panel out; OpenCode and its other panels go on.
 */
export function registerPanel(api: TuiPluginApi, report: (error: unknown) => void): void {
  const [now, setNow] = createSignal(Date.now());
  let isTicking = false;
  const timer = setInterval(() => {
    if (isTicking) setNow(Date.now());
  }, TICK_MS);
  api.lifecycle.onDispose(() => {
    clearInterval(timer);
  });

  const linesOf = (sessionId: string): Line[] => {
    try {
      const conversation = conversationOf(api, sessionId);
      isTicking = conversation?.model.tasks.some(({ since }) => since !== null) ?? false;
      return conversation === null ? [] : panelLines(conversation.model, isTicking ? now() : 0);
    } catch (error) {
      report(error);
      return [];
    }
  };

  api.slots.register({
    order: ORDER,
    slots: {
      sidebar_content(_context, { session_id: sessionId }) {
        const lines = createMemo(() => linesOf(sessionId));
        const isShown = createMemo(() => lines().length > 0);
        return createMemo(() =>
          isShown() ? element("box", {}, () => lines().map((line) => renderLine(api, line))) : undefined,
        );
      },
    },
  });
}

/** A line in the colours of the user's theme. */
export function renderLine(api: TuiPluginApi, line: Line): Element {
  const spans = line.map(({ text, tone }) =>
    element(tone === "title" ? "b" : "span", { style: { fg: colourOf(api, tone) } }, text),
  );
  return element("text", {}, spans);
}

function colourOf({ theme: { current } }: TuiPluginApi, tone: Tone): unknown {
  if (tone === "title") return current.text;
  return tone === "muted" ? current.textMuted : current[tone];
}
