import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Lets git in commands of GAIA's sessions use no bare repository that it merely comes across: the configuration of one that
 * lies among a project's files names programs to run (SPEC 9).
 */
export function createSafeShellHook({ sessions }: Runtime): HookDefinition {
  return defineHook({
    id: "safe-shell",
    event: "shell-environment",
    why: "before contain-shell, which hands over what stands in the environment",
    onFailure: "open",
    async run({ sessionId, set }) {
      if ((await sessions.find(sessionId)) === null) return;
      // Behind what the user's own environment sets in this way.
      const count = Number(process.env["GIT_CONFIG_COUNT"] ?? "0") || 0;
      set(`GIT_CONFIG_KEY_${count}`, "safe.bareRepository");
      set(`GIT_CONFIG_VALUE_${count}`, "explicit");
      set("GIT_CONFIG_COUNT", String(count + 1));
    },
  });
}
