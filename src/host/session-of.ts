import type { HostEvent } from "./port.ts";

/** The session an event is about. */
export function sessionOf(event: HostEvent): string {
  return "session" in event ? event.session.id : event.sessionId;
}
