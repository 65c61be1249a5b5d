import type { Hooks } from "@opencode-ai/plugin";
import { recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { terminalText } from "../../lib/text.ts";
import type { UserMessage } from "../hook-events.ts";
import { isOwnPart, OWN_PART_KEY } from "./sessions.ts";
import { joinModel, splitModel } from "./read.ts";

type Output = Parameters<NonNullable<Hooks["chat.message"]>>[1];
type Parts = Output["parts"];

/** A message as OpenCode's hook shows it. What is changed of it is changed in place, for OpenCode ignores a new object. */
export function openUserMessage({ message, parts }: Output): UserMessage {
  const change = (to: { readonly text: string; readonly ignored?: true }): void => {
    const shown = parts.find((part) => part.type === "text" && !isOwnPart(part));
    if (shown?.type === "text") Object.assign(shown, to);
  };
  return {
    sessionId: message.sessionID,
    get agent() {
      return message.agent;
    },
    get model() {
      return joinModel(message.model);
    },
    said: readSaid(parts),
    useModel(model) {
      message.model = splitModel(model);
    },
    useAgent(agent) {
      message.agent = agent;
    },
    appendForModel(text) {
      // OpenCode orders parts by id: what begins like the greatest one and is longer comes after it.
      const ids = parts.map(({ id }) => id).toSorted();
      parts.push({
        id: `${ids.at(-1) ?? "prt_"}z`,
        sessionID: message.sessionID,
        messageID: message.id,
        type: "text",
        text,
        synthetic: true,
        metadata: { [OWN_PART_KEY]: true },
      });
    },
    reword(text) {
      const other = parts.findIndex((part) => !isOwnPart(part));
      const { id = "prt_", sessionID = "", messageID = "" } = parts[other] ?? {};
      if (!parts.some((part) => part.type === "text" && !isOwnPart(part)))
        parts.splice(other, 1, { id, sessionID, messageID, type: "text", text });
      change({ text });
    },
    showInstead(text) {
      change({ text: terminalText(text), ignored: true });
    },
  };
}

/** Messages of the plugin's own, and those that OpenCode writes, are nobody's word and are never reacted to. */
export function readSaid(parts: Parts): UserMessage["said"] {
  const isWritten = (part: JsonRecord): boolean => part["type"] === "text" && part["synthetic"] === true;
  const theirs = parts
    .filter((part) => !isOwnPart(part))
    .map(recordOf)
    .filter((part) => !isWritten(part));
  if (theirs.length === 0) return null;
  const texts = theirs.filter((part) => part["type"] === "text");
  const files = theirs.filter((part) => part["type"] === "file");
  return {
    text: texts.map((part) => textOf(part["text"]) ?? "").join("\n"),
    files: files.map((part) => textOf(part["filename"]) ?? "").filter((name) => name !== ""),
  };
}
