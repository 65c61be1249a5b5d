import { messagesOf, type RecordedRequest } from "../../src/scripted-model/request.ts";

/** Tools, then messages: the order in which providers read a prompt, whatever the order of the JSON. */
export function inCacheOrder({ body }: RecordedRequest): Buffer {
  const messages = messagesOf(body).map((message) => JSON.stringify(message));
  return Buffer.from([JSON.stringify(body["tools"] ?? []), ...messages].join("\n"));
}

/** How many bytes two texts begin with in common. */
export function commonPrefix(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  for (let index = 0; index < most; index += 1) if (a[index] !== b[index]) return index;
  return most;
}
