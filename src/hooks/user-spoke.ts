import { defineHook, type HookDefinition } from "../host/hook.ts";
import { isOwnPart } from "../host/opencode/sessions.ts";
import type { Runtime } from "../runtime.ts";

/** Tells the parent gate that a person spoke: an earlier stop no longer holds. Our own messages do not count. */
export function createUserSpokeHook({ gate, continuation }: Runtime): HookDefinition {
  return defineHook({
    id: "user-spoke",
    event: "chat.message",
    why: "after track-speaker, so that whatever the gate then delivers knows whom to address",
    onFailure: "open",
    run({ sessionID }, { parts }) {
      if (parts.every(isOwnPart)) return;
      continuation?.userSpoke(sessionID);
      gate.userSpoke(sessionID);
    },
  });
}
