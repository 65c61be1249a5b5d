import { GAIA } from "../agents/gaia.ts";
import { Denial, defineHook, type HookDefinition } from "../host/hook.ts";
import { textOf } from "../lib/json.ts";
import { classifyCommand } from "../policy/classify-command.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Holds agents whose bash only reads to that, by the parsed command: OpenCode's patterns see text, and text can be
 * spelled in many ways (SPEC 9).
 */
export function createReadOnlyBashHook({ agents, sessions }: Runtime): HookDefinition {
  return defineHook({
    id: "read-only-bash",
    event: "tool.execute.before",
    why: "a gate: before anything that lets a call pass",
    onFailure: "closed",
    async run({ tool, sessionID }, { args }) {
      if (tool !== "bash") return;
      const session = await sessions.find(sessionID);
      if (session === null) return;
      const agent = session.specialist ?? sessions.speaker(sessionID)?.agent ?? GAIA;
      if (!agents.readers.has(agent)) return;
      const command = textOf((args as Record<string, unknown>)["command"]) ?? "";
      const { verdict, reason } = classifyCommand(command);
      if (verdict === "read-only") return;
      throw new Denial(
        `Refused: ${agent} may only run commands that read, and this one does not: ${reason}.`,
      );
    },
  });
}
