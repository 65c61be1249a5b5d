import type { RecordedRequest } from "../../../src/scripted-model/request.ts";
import { commonPrefix, inCacheOrder } from "../../support/cache-order.ts";

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
    cached += commonPrefix(previous.get(request.sessionId) ?? Buffer.of(), now);
    previous.set(request.sessionId, now);
    bytes += Buffer.byteLength(request.raw);
  }
  return { requests: requests.length, bytes, cached };
}

/** Whether a request belongs to a session that another one began. */
export function isChild(request: RecordedRequest): boolean {
  return (request.headers["x-parent-session-id"] ?? "") !== "";
}
