import type { TuiPluginApi } from "@opencode-ai/plugin/tui";
import { attempt, currentConversation } from "./panel-model.ts";

/** So long after the last character a person is still typing, in milliseconds. */
const TYPING_MS = 2_000;
const message = "You were typing, so this Enter answered nothing. Press it again in a moment to answer.";

export interface PressedKey {
  readonly name: string;
  readonly ctrl: boolean;
  readonly meta: boolean;
}

/**
 * Who types does not answer: a dialog that opens over the prompt takes their keys, and the next Enter would be its yes. Pure.
 * @param typedAt when the last character was typed @param hasField whether a field takes what is typed
 * @param isBound whether the dialog has a use for this key @returns `isKept`: the key goes no further
 */
export function followKey(
  typedAt: number,
  { name, ctrl, meta }: PressedKey,
  { now, hasField, isBound }: { now: number; hasField: boolean; isBound: boolean },
): { readonly typedAt: number; readonly isKept: boolean } {
  const isTyping = now - typedAt < TYPING_MS;
  const isEnter = name === "return";
  const isCharacter = !ctrl && !meta && (name === "space" || /^.$/u.test(name));
  if (hasField) return { typedAt: isCharacter ? now : isEnter ? -Infinity : typedAt, isKept: false };
  const isTyped = isCharacter && (isTyping || !isBound);
  return { typedAt: isTyped ? now : typedAt, isKept: isTyping && (isEnter || isCharacter) };
}

/** Keeps the keys of someone who types from OpenCode's dialogs in GAIA's conversations. */
export function registerTyping(api: TuiPluginApi, report: (error: unknown) => void): void {
  let typedAt = -Infinity;
  const keeps = (key: PressedKey): boolean => {
    const hasField = api.renderer.currentFocusedEditor !== null;
    const bound: { stroke: { name: string } }[] = hasField ? [] : api.keymap.getActiveKeys();
    const isBound = bound.some(({ stroke }) => stroke.name === key.name);
    const followed = followKey(typedAt, key, { now: Date.now(), hasField, isBound });
    typedAt = followed.typedAt;
    return followed.isKept && currentConversation(api) !== null;
  };
  const onKey = ({ event, consume }: { event: PressedKey; consume: () => void }): void => {
    // Where it fails, OpenCode goes on with the key.
    if (attempt(() => keeps(event), report) !== true) return;
    consume();
    if (event.name === "return") api.ui.toast({ variant: "warning", title: "GAIA", message });
  };
  api.lifecycle.onDispose(api.keymap.intercept("key", onKey));
}
