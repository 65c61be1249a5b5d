import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import {
  type Content,
  createElement,
  effect,
  type Element,
  insert,
  setProp,
  useTerminalDimensions,
} from "@opentui/solid";
import { createSignal } from "solid-js";
import { type PanelConversation, conversationOf } from "./panel-model.ts";
import { SETTINGS } from "./settings.ts";

export function element(tag: string, props: object, content: Content): Element {
  const node = createElement(tag);
  for (const [name, value] of Object.entries(props)) setProp(node, name, value);
  insert(node, content);
  return node;
}

const FRAME_ROWS = 6;
const FEWEST_ROWS = 3;
/** OpenCode puts a dialog this far down the screen. */
const FREE_ABOVE = 1 / 4;

/** Shows a text that may be longer than the screen: arrows, Page Up and Down, Home, End and the wheel scroll; Enter and Escape close. */
function showText(api: TuiPluginApi, title: string, text: () => string): void {
  let release: () => void = () => undefined;
  const render = (): Element => {
    const { text: normal, textMuted: fg } = api.theme.current;
    const screen = useTerminalDimensions();
    const room = (): number =>
      Math.max(FEWEST_ROWS, Math.floor(screen().height * (1 - FREE_ABOVE)) - FRAME_ROWS);
    const [rows, setRows] = createSignal(1);
    // A text does not tell its size, a box around it does.
    const content = element("box", {}, element("text", { fg }, text));
    setProp(content, "onSizeChange", () => setRows(content.height));
    const scroll = createElement("scrollbox");
    insert(scroll, content);
    effect(() => {
      setProp(scroll, "height", Math.min(rows(), room()));
    });
    const keys: Readonly<Record<string, () => void>> = {
      up: () => scroll.scrollBy(-1),
      down: () => scroll.scrollBy(1),
      pageup: () => scroll.scrollBy(-scroll.height),
      pagedown: () => scroll.scrollBy(scroll.height),
      home: () => scroll.scrollTo(0),
      end: () => scroll.scrollTo(scroll.scrollHeight),
      return: () => api.ui.dialog.clear(),
    };
    const bindings = Object.entries(keys).map(([key, cmd]) => ({ key, cmd }));
    // Bound like OpenCode's own: else the conversation below takes these keys, and closes the dialog.
    release = api.keymap.registerLayer({ bindings });
    return element("box", { paddingLeft: 2, paddingRight: 2, paddingBottom: 1, gap: 1 }, [
      element("box", { flexDirection: "row", justifyContent: "space-between" }, [
        element("text", { fg: normal }, element("b", {}, title)),
        element("text", { fg, onMouseUp: () => api.ui.dialog.clear() }, "esc"),
      ]),
      scroll,
      element("text", { fg }, () =>
        rows() > room() ? "↑ ↓ pgup pgdn scroll · enter closes" : "enter closes",
      ),
    ]);
  };
  api.ui.dialog.replace(render, () => {
    release();
  });
  api.ui.dialog.setSize("large");
}

/** All settings to choose from. @param choose is called with the command of the one that was chosen */
export function showSettings(
  api: TuiPluginApi,
  { model }: PanelConversation,
  choose: (command: string) => void,
): void {
  const options = SETTINGS.map((setting) => ({
    title: setting.value,
    value: setting.command,
    description: setting.meaning,
    category: setting.group,
    ...(model.knobs[setting.knob] === setting.value ? { footer: "now" } : {}),
  }));
  api.ui.dialog.replace(() =>
    api.ui.DialogSelect({
      title: "GAIA: how we work together",
      options,
      onSelect({ value }) {
        api.ui.dialog.clear();
        choose(value);
      },
    }),
  );
  api.ui.dialog.setSize("large");
}

/** What `/gaia-status` says, as soon as the server plugin has answered. @param request which it will answer */
export function showStatus(api: TuiPluginApi, { rootId }: PanelConversation, request: string): void {
  showText(api, "GAIA: status", () => {
    const status = conversationOf(api, rootId)?.model.status;
    return status?.request === request ? status.text.replace(/^GAIA\n/, "") : "One moment …";
  });
}
