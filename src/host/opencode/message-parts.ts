import type { HookOutput } from "../hook.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import { isOwnPart, OWN_PART_KEY } from "./sessions.ts";

type UserMessage = HookOutput<"chat.message">;

/**
 * What the user wrote into a message, and the files they attached; null when no part of it is theirs: the plugin's own
 * messages are never reacted to.
 */
export function readUserMessage({ parts }: UserMessage): { text: string; files: string[] } | null {
  const theirs = parts.filter((part) => !isOwnPart(part));
  if (theirs.length === 0) return null;
  const texts = theirs.map(recordOf).filter((part) => part["type"] === "text" && part["synthetic"] !== true);
  const files = theirs.map(recordOf).filter((part) => part["type"] === "file");
  return {
    text: texts.map((part) => textOf(part["text"]) ?? "").join("\n"),
    files: files.map((part) => textOf(part["filename"]) ?? "").filter((name) => name !== ""),
  };
}

/**
 * Adds a text at the end of a message, for the model only: the TUI does not show it, and OpenCode keeps it with the
 * message, so that later requests repeat the same bytes (SPEC 2.6).
 */
export function appendForModel({ message, parts }: UserMessage, text: string): void {
  // OpenCode orders parts by id: what begins like the greatest one and is longer comes after it.
  const greatest =
    parts
      .map(({ id }) => id)
      .toSorted()
      .at(-1) ?? "prt_";
  const part = {
    id: `${greatest}z`,
    sessionID: message.sessionID,
    messageID: message.id,
    type: "text",
    text,
    synthetic: true,
    metadata: { [OWN_PART_KEY]: true },
  } as const;
  parts.push(part);
}

/** Shows the user this in place of what a message says; the model does not get to see it. */
export function showInstead({ parts }: UserMessage, text: string): void {
  const shown = parts.find((part) => part.type === "text" && !isOwnPart(part));
  if (shown?.type === "text") Object.assign(shown, { text, ignored: true });
}
