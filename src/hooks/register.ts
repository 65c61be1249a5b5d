import { commandEntries } from "../commands/registry.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";
import { fileToolNames, TOOL_NAMES } from "../tools/registry.ts";

/** Registers agents and commands, and notes what only the host's merged configuration can tell. */
export function createRegisterHook(
  { agents, rules, config }: Runtime,
  onPrompts: (prompts: ReadonlyMap<string, string>) => void,
  onUsersCommands: (names: readonly string[]) => void,
): HookDefinition {
  const commands = commandEntries();
  return defineHook({
    id: "register",
    event: "configuration",
    why: "the only hook at this event",
    onFailure: "open",
    run(configuration) {
      const tools = [...TOOL_NAMES, ...fileToolNames(config)];
      const found = configuration.register({ agents: agents.entries, commands, tools });
      onUsersCommands(found.commands);
      rules.leaveOut(found.instructions);
      for (const { name, model, steps, rulesCommands, rulesPaths } of found.agents) {
        if (model !== null) agents.preferModel(name, model);
        if (steps !== null) agents.limitSteps(name, steps);
        if (rulesCommands) agents.listed.delete(name);
        if (rulesPaths) agents.ruledByPath.add(name);
      }
      onPrompts(new Map(found.agents.map(({ name, prompt }) => [name, prompt])));
    },
  });
}
