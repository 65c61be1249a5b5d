import { GAIA } from "../agents/gaia.ts";
import { MENU } from "../commands/menu.ts";
import { REQUEST_KEY } from "../conversation/display/metadata-keys.ts";
import {
  type HookEvent,
  type HookEvents,
  defineHook,
  type HookDefinition,
  type HookHandlers,
} from "../host/hook-events.ts";
import { type HostEvent, sessionOf } from "../host/port.ts";
import { createError, logFailure } from "../lib/error.ts";
import type { Start } from "../runtime.ts";

export interface LoadedFeatures {
  readonly handlers: HookHandlers;
  dispose(): Promise<void>;
}

type Passed = Exclude<HookEvent, "configuration" | "host-event">;

/** Whether features that cannot be loaded refuse what the host is about to do, for there are gates among them (SPEC 2.4). */
const ON_FAILURE: Readonly<Record<Passed, HookDefinition["onFailure"]>> = {
  "user-message": "open",
  "command-typed": "open",
  "before-tool": "closed",
  "shell-environment": "closed",
  "after-tool": "closed",
  "before-request": "open",
  "request-parameters": "closed",
  compaction: "open",
  "answer-text": "open",
};

/** Loads GAIA's features with its first session: until then a hook costs a look at whose session it is called for. */
export function createLazyFeatures<R extends LoadedFeatures>(
  { host, sessions, agents }: Start,
  load: () => Promise<R>,
) {
  let features: R | null = null;
  let opening: Promise<R> | null = null;
  let isDisposed = false;
  /** What happened since they are being loaded, in its order. */
  let waiting: HostEvent[] = [];

  /** session.deleted handlers need the owner. */
  const forgetEnded = (event: HostEvent): void => {
    if (event.type === "session.deleted") sessions.observe(event);
  };
  const handOn = (event: HostEvent, { handlers }: R): Promise<void> | void => {
    const heard = handlers["host-event"]?.(event);
    forgetEnded(event);
    return heard;
  };
  const enter = async (): Promise<R> => {
    try {
      const loaded = await load();
      features = loaded;
      // Before anyone who waits for the features goes on.
      for (const event of waiting) void handOn(event, loaded);
      return loaded;
    } catch (error) {
      opening = null;
      for (const event of waiting) forgetEnded(event);
      throw error;
    } finally {
      waiting = [];
    }
  };
  /** @throws GaiaError when the features cannot be loaded, and once OpenCode closes; who asks again has it tried again */
  const open = async (): Promise<R> => {
    if (features !== null) return features;
    if (isDisposed) throw createError("lazy-features", "OpenCode is closing.");
    opening ??= enter();
    return opening;
  };

  const isOurs = (agent: string): boolean => agent === GAIA || agents.specialists.has(agent);
  const isGaias = async (sessionId: string | null): Promise<boolean> => {
    if (sessionId === null || sessionId === "") return false;
    // Where the host does not tell, the features judge it, whose gates refuse then.
    return sessions.find(sessionId).then(
      (session) => session !== null,
      () => true,
    );
  };
  const spoke = ({ sessionId, agent, model }: HookEvents["user-message"]): void => {
    sessions.spoke(sessionId, agent, model);
  };
  /** Which events need the features, beside those of GAIA's sessions. */
  const concerns: { readonly [Event in Passed]?: (payload: HookEvents[Event]) => Promise<boolean> } = {
    async "user-message"(message) {
      if (isOurs(message.agent) || (await isGaias(message.sessionId))) return true;
      spoke(message);
      return false;
    },
    async "command-typed"({ name, sessionId }) {
      const typed = MENU.find((entry) => entry.name === name);
      return typed !== undefined && (typed.native !== true || (await isGaias(sessionId)));
    },
  };
  const stand = (event: Passed): HookDefinition =>
    defineHook({
      id: "lazy-features",
      event,
      why: "what stands at this event is loaded with the features, which keep its order",
      onFailure: ON_FAILURE[event],
      async run(payload: HookEvents[Passed]) {
        const isNeeded = async () => concerns[event]?.(payload as never) ?? isGaias(payload.sessionId);
        if (opening === null && !(await isNeeded())) return;
        const { handlers } = await open().catch((error: unknown) => {
          // The gates have to know whom it goes to: its requests and calls are refused.
          if (event === "user-message") spoke(payload as HookEvents["user-message"]);
          throw error;
        });
        await handlers[event]?.(payload as never);
      },
    });

  /** Whether an event is one of a session of GAIA's, or may be. */
  const concernsEvent = (event: HostEvent): boolean => {
    const known = sessions.peek(sessionOf(event));
    if (known !== undefined) return known !== null;
    // What the panel asks of a conversation that nobody has talked in since the start.
    const isAsked = event.type === "session.updated" && event.session.metadata[REQUEST_KEY] !== undefined;
    return isAsked || event.type === "permission.asked";
  };
  const observe = (event: HostEvent): Promise<void> | void => {
    if (event.type !== "session.deleted") sessions.observe(event);
    if (features !== null) return handOn(event, features);
    if (opening === null && !concernsEvent(event)) {
      if (event.type === "permission.asked") host.oneShot?.settled(event, false);
      return forgetEnded(event);
    }
    waiting.push(event);
    if (opening === null) open().catch(logFailure(host.logger, "error", "lazy-features"));
  };

  return {
    hooks: [
      defineHook({ id: "lazy-features", event: "host-event", run: observe }),
      ...(Object.keys(ON_FAILURE) as Passed[]).map((event) => stand(event)),
    ],
    open,
    async dispose(): Promise<void> {
      isDisposed = true;
      const loaded = await opening?.catch(() => null); // What never came to be leaves nothing behind.
      await loaded?.dispose();
    },
  };
}
