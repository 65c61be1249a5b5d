import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** Holds commands of GAIA's sessions that record something to what is true when they start (SPEC 9). */
export function createConfirmCommitsHook({ supervision }: Runtime): HookDefinition {
  return defineHook({
    id: "confirm-commits",
    event: "shell-environment",
    why: "after the dialogs, before the containment, which counts what it hands over as started",
    onFailure: "closed",
    run: async (shell) => supervision.confirmCommits(shell),
  });
}
