declare const KEY: unique symbol;

/** One call of a tool: its session, the message that it stands in, and its provider's id, which may come again in every message. */
export type CallKey = string & { readonly [KEY]: true };

/** Only the host's door makes keys of what OpenCode says; everything behind it knows calls by them. */
export function callKey(sessionId: string, messageId: string, callId: string): CallKey {
  // `::` marks a part of a call.
  return `${sessionId}/${messageId}/${callId.replaceAll("::", "%3A%3A")}` as CallKey;
}
