import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { effect, type Element, useTerminalDimensions } from "@opentui/solid";
import { createMemo, createSignal } from "solid-js";
import { LEFT_COMMAND } from "../conversation/display/metadata-keys.ts";
import { sendCommand } from "./commands.ts";
import { element } from "./dialogs.ts";
import { type Line, oneLine, panelLines, type Tone } from "./panel-lines.ts";
import { attempt, conversationOf } from "./panel-model.ts";

/** Behind OpenCode's own "Context" (100), before its MCP servers (200). */
const ORDER = 150;
const TICK_MS = 1_000;

/** The panel in the sidebar; it takes no row in sessions that are not GAIA's. What fails is told to `report`. */
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
    const conversation = conversationOf(api, sessionId);
    isTicking = conversation?.model.tasks.some(({ since }) => since !== null) ?? false;
    return conversation === null ? [] : panelLines(conversation.model, isTicking ? now() : 0);
  };

  api.slots.register({
    order: ORDER,
    slots: {
      sidebar_content(_context, { session_id: sessionId }) {
        const lines = createMemo(() => attempt(() => linesOf(sessionId), report) ?? []);
        const isShown = createMemo(() => lines().length > 0);
        return createMemo(() =>
          isShown() ? element("box", {}, () => lines().map((line) => renderLine(api, line))) : undefined,
        );
      },
    },
  });
}

function renderLine(api: TuiPluginApi, line: Line): Element {
  const spans = line.map(({ text, tone }) =>
    element(tone === "title" ? "b" : "span", { style: { fg: colourOf(api, tone) } }, text),
  );
  return element("text", {}, spans);
}

function colourOf({ theme: { current } }: TuiPluginApi, tone: Tone): unknown {
  if (tone === "title") return current.text;
  return tone === "muted" ? current.textMuted : current[tone];
}

/** OpenCode shows its sidebar in terminals that are wider than this. */
const WIDEST = 120;
/** What is left to it beside the agent and the model, in columns, at least. */
const BESIDE = 40;
const FEWEST = 24;

/** Where the terminal is too narrow for the sidebar, one line beside the prompt says the most of it. */
export function registerStatusLine(api: TuiPluginApi, report: (error: unknown) => void): void {
  const told = new Set<string>();
  /** What was interrupted is told when the conversation is on the screen again. */
  const tellLeft = (sessionId: string): void => {
    const conversation = conversationOf(api, sessionId);
    if (conversation?.isLeft !== true || told.has(sessionId)) return;
    told.add(sessionId);
    sendCommand(api, conversation, LEFT_COMMAND).catch(report);
  };
  api.slots.register({
    slots: {
      session_prompt_right(_context, { session_id: sessionId }) {
        effect(() => attempt(() => tellLeft(sessionId), report));
        const screen = useTerminalDimensions();
        return createMemo(() => {
          const { width } = screen();
          const conversation = width > WIDEST ? null : attempt(() => conversationOf(api, sessionId), report);
          if (!conversation) return undefined;
          const line = oneLine(conversation.model, Math.max(FEWEST, width - BESIDE));
          return element("box", {}, renderLine(api, line));
        });
      },
    },
  });
}
