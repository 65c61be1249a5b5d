import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { HostEvent } from "../host/port.ts";

/**
 * Feeds OpenCode's events to everything that keeps state. OpenCode does not wait for this hook, and a synchronous
 * throw in it could hang `opencode run` (OPENCODE.md trap 7); each observer stands alone.
 * @param read turns OpenCode's event into ours, null for one that nobody needs
 */
export function createObserveEventsHook(
  read: (raw: unknown) => HostEvent | null,
  observers: readonly ((event: HostEvent) => void)[],
): HookDefinition {
  return defineHook({
    id: "observe-events",
    event: "event",
    why: "the only hook at this event",
    onFailure: "open",
    run({ event: raw }) {
      const event = read(raw);
      if (event === null) return;
      for (const observe of observers) observe(event);
    },
  });
}
