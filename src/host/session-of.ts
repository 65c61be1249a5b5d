import type { HostEvent } from "./port.ts";

/** The session an event is about; null for events of the whole instance. */
export function sessionOf(event: HostEvent): string | null {
  if (event.type === "instance.disposed") return null;
  return "session" in event ? event.session.id : event.sessionId;
}
