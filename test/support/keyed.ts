import type { CallKey } from "../../src/host/port.ts";

/** A call's key that a test makes up; only the host's door makes real ones. */
export function keyed(callId: string): CallKey {
  return callId as CallKey;
}
