import { messagesOf, type RecordedRequest } from "../../../src/scripted-model/request.ts";

/** What went over the wire to the model, in bytes of JSON. */
export interface Traffic {
  readonly requests: number;
  readonly bytes: number;
  /** Bytes that repeat the beginning of the same session's previous request, which providers bill at a fraction. */
  readonly cached: number;
}

/** Adds up what requests sent; side requests for titles are not recorded. */
export function measureTraffic(requests: readonly RecordedRequest[]): Traffic {
  const previous = new Map<string, Buffer>();
  let [bytes, cached] = [0, 0];
  for (const request of requests) {
    const now = inCacheOrder(request);
    cached += commonPrefix(previous.get(request.sessionId), now);
    previous.set(request.sessionId, now);
    bytes += Buffer.byteLength(request.raw);
  }
  return { requests: requests.length, bytes, cached };
}

/** Tools, then messages: the order in which providers read a prompt, whatever the order of the JSON. */
function inCacheOrder({ body }: RecordedRequest): Buffer {
  const messages = messagesOf(body).map((message) => JSON.stringify(message));
  return Buffer.from([JSON.stringify(body["tools"] ?? []), ...messages].join("\n"));
}

function commonPrefix(a: Buffer | undefined, b: Buffer): number {
  if (a === undefined) return 0;
  const most = Math.min(a.length, b.length);
  for (let index = 0; index < most; index += 1) if (a[index] !== b[index]) return index;
  return most;
}

/** Whether a request belongs to a session that another one began. */
export function isChild(request: RecordedRequest): boolean {
  return (request.headers["x-parent-session-id"] ?? "") !== "";
}
