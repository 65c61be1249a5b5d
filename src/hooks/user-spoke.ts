import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Tells the parent gate that a person spoke: an earlier stop no longer holds. Our own messages do not count. */
export function createUserSpokeHook({ gate, continuation }: Runtime): HookDefinition {
  return defineHook({
    id: "user-spoke",
    event: "user-message",
    why: "after track-speaker, so that whatever the gate then delivers knows whom to address",
    onFailure: "open",
    run({ sessionId, said }) {
      if (said === null) return;
      continuation?.userSpoke(sessionId);
      gate.userSpoke(sessionId);
    },
  });
}
