import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Hands the commands of GAIA's sessions over to the containment, without changing a word of them (SPEC 9). */
export function createContainShellHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "contain-shell",
    event: "shell-environment",
    why: "the last at this event: what it refuses is not started",
    onFailure: "closed",
    async run(shell) {
      await supervision.contained.wrap(shell);
    },
  });
}
