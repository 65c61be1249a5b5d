import { commandEntries } from "../commands/menu.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Start } from "../runtime.ts";
import { fileToolNames, TOOL_NAMES } from "../tools/announced.ts";

/** Registers agents and commands, and notes what only the host's merged configuration can tell. */
export function createRegisterHook({ agents, config, noteRegistered }: Start): HookDefinition {
  const commands = commandEntries();
  return defineHook({
    id: "register",
    event: "configuration",
    why: "the only hook at this event",
    onFailure: "open",
    run(configuration) {
      const tools = [...TOOL_NAMES, ...fileToolNames(config)];
      const found = configuration.register({ agents: agents.entries, commands, tools });
      for (const { name, model, steps, rulesPaths } of found.agents) {
        if (model !== null) agents.preferModel(name, model);
        if (steps !== null) agents.limitSteps(name, steps);
        if (rulesPaths) agents.ruledByPath.add(name);
      }
      noteRegistered(found);
    },
  });
}
