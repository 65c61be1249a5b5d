import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { HostEvent } from "../host/port.ts";

/** Feeds the host's events to everything that keeps state. */
export function createObserveEventsHook(observers: readonly ((event: HostEvent) => void)[]): HookDefinition {
  return defineHook({
    id: "observe-events",
    event: "host-event",
    why: "the only hook at this event",
    onFailure: "open",
    run(event) {
      for (const observe of observers) observe(event);
    },
  });
}
