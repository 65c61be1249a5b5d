import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { FREE, templateOf, type TypedWhere } from "../commands/free.ts";
import { REJECTED, SETTINGS_COMMAND } from "../conversation/display/metadata-keys.ts";
import { attempt, currentConversation, type PanelConversation } from "./panel-model.ts";

/** What stands in the prompt, where it is a command that needs no model; null for all else, which goes to OpenCode as it is. Pure. */
export function readTyped(text: string, where: TypedWhere): string | null {
  const [, name = "", words = ""] =
    /^\/([\w-]+)\s*([^]*)$/.exec(text.trim().replace(REJECTED, "").trimEnd()) ?? [];
  const isFree = name === SETTINGS_COMMAND ? !/\s/.test(words) : FREE.get(name)?.(words, where) === true;
  return isFree ? `${name} ${words}`.trim() : null;
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
    const command = conversation && readTyped(editor.plainText, conversation.where);
    const [name = ""] = command?.split(" ") ?? [];
    // The configuration may have a command of this name that is not ours.
    const { template = templateOf(name) } = api.state.config.command?.[name] ?? {};
    return command && template === templateOf(name) && { command, editor, conversation };
  };
  const cmd = (): void => {
    const found = find();
    if (!found) return;
    found.editor.clear();
    carryOut(found.command, found.conversation);
  };
  // Where it fails, OpenCode goes on with the key.
  const enabled = (): boolean => Boolean(attempt(find, report));
  api.lifecycle.onDispose(api.keymap.registerLayer({ enabled, bindings: [{ key: "return", cmd }] }));
}
