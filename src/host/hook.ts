import type { HookEvent, HookEvents } from "./hook-events.ts";

/** One hook of the plugin. Several may stand at the same event; the registry's order is their order. */
export interface HookDefinition<Event extends HookEvent = HookEvent> {
  /** The file's name; also the log tag. */
  readonly id: string;
  readonly event: Event;
  /** Why it stands where it stands in the order. */
  readonly why: string;
  /** `open`: a failure is logged and the turn goes on. `closed`: a failure denies (SPEC 2.4). */
  readonly onFailure: "open" | "closed";
  run(payload: HookEvents[Event]): Promise<void> | void;
}

/** All hooks of each event as one function; an event at which none stands has none. */
export type HookHandlers = {
  readonly [Event in HookEvent]?: (payload: HookEvents[Event]) => Promise<void>;
};

/** A hook that refuses on purpose throws this; its message is what the model is told. */
export class Denial extends Error {
  override readonly name = "Denial";
}

/** Keeps a hook's event and types together when hooks are listed side by side. */
export function defineHook<Event extends HookEvent>(definition: HookDefinition<Event>): HookDefinition {
  return definition;
}
