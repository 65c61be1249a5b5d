import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { REJECTED, SETTINGS_COMMAND, STATUS_COMMAND } from "../conversation/display/metadata-keys.ts";
import { currentConversation, type PanelConversation } from "./panel-model.ts";
import { SETTINGS } from "./settings.ts";

/** What only shows something. */
const SHOWN: ReadonlySet<string> = new Set([STATUS_COMMAND, SETTINGS_COMMAND]);

/** A typed command that needs no model. */
export interface TypedCommand {
  /** As in a request to the server plugin. */
  readonly command: string;
  /** Its name is known and what follows is not: the server plugin says what is possible. */
  readonly isMistaken: boolean;
}

/**
 * What stands in the prompt, where it is a command that needs no model; null for all else, which goes to OpenCode as it is.
 * While specialists work no knob is turned from here: what could loosen their limits has to be a command of OpenCode's. Pure.
 */
export function readTyped(text: string, isAtWork: boolean): TypedCommand | null {
  const [, name = "", rest = ""] = /^\/([\w-]+)\s*([^]*)$/.exec(text.trim().replace(REJECTED, "")) ?? [];
  // A word behind it asks for nothing else; a sentence is for GAIA.
  if (SHOWN.has(name)) return /\s/.test(rest) ? null : { command: name, isMistaken: false };
  const own = SETTINGS.filter(({ command }) => command.split(" ")[0] === name);
  const command = `${name} ${rest.toLowerCase().replaceAll(/[\s-]+/g, "_")}`.trim();
  if (own.some((setting) => setting.command === command))
    return isAtWork ? null : { command, isMistaken: false };
  const isOurs = own.some(({ isNative }) => !isNative);
  return isOurs ? { command: `${name} ${rest}`, isMistaken: true } : null;
}

/**
 * Takes what {@link readTyped} knows out of the prompt when Enter is pressed. OpenCode has no hook for that: it is a layer of
 * keys above the one of its input field, and below the one of its list of commands, which is opened later.
 */
export function registerTyped(
  api: TuiPluginApi,
  carryOut: (command: string, conversation: PanelConversation) => void,
  report: (error: unknown) => void,
): void {
  const find = () => {
    const editor = api.renderer.currentFocusedEditor;
    if (!editor?.plainText?.includes("/")) return null;
    const conversation = currentConversation(api);
    const typed = conversation && readTyped(editor.plainText, conversation.model.tasks.length > 0);
    return typed && { ...typed, editor, conversation };
  };
  const layer = {
    enabled() {
      try {
        return find() !== null;
      } catch (error) {
        report(error);
        return false; // OpenCode goes on with the key.
      }
    },
    commands: [
      {
        name: "gaia.typed",
        run() {
          const found = find();
          if (found === null) return;
          // A mistake is left to be fixed.
          if (!found.isMistaken) found.editor.clear();
          carryOut(found.command, found.conversation);
        },
      },
    ],
    bindings: [{ key: "return", cmd: "gaia.typed" }],
  };
  api.lifecycle.onDispose(api.keymap.registerLayer(layer));
}
