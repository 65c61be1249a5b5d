import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Looks at the project's tree before a command of GAIA's sessions begins, so that what it changes is known for its own. */
export function createWatchShellHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "watch-shell",
    event: "shell-environment",
    why: "before the containment, which may refuse the command, and after the dialog, during which the user goes on working",
    onFailure: "open",
    async run({ callId }) {
      if (callId !== null) await supervision.calls.starts(callId);
    },
  });
}
