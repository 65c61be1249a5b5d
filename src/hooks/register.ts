import { GAIA } from "../agents/gaia.ts";
import { commandEntries } from "../commands/registry.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { OpenCodeHost } from "../host/opencode/adapter.ts";
import { registerInConfig } from "../host/opencode/registration.ts";
import { recordOf, textOf, type JsonRecord } from "../lib/json.ts";
import type { Runtime } from "../runtime.ts";
import { TOOL_NAMES } from "../tools/registry.ts";

/** Registers agents and commands, and notes what only OpenCode's merged configuration can tell. */
export function createRegisterHook(
  { agents }: Runtime,
  host: OpenCodeHost,
  onPrompt: (prompt: string) => void,
  onUsersCommands: (names: readonly string[]) => void,
): HookDefinition {
  const commands = commandEntries();
  return defineHook({
    id: "register",
    event: "config",
    why: "the only hook at this event",
    onFailure: "open",
    run(config) {
      const raw = config as JsonRecord;
      onUsersCommands(usersCommands(recordOf(raw["command"]), commands));
      for (const [name, entry] of Object.entries(recordOf(raw["agent"]))) {
        const model = textOf(recordOf(entry)["model"]);
        if (model !== undefined) agents.preferModel(name, model);
        if (rulesBash(recordOf(entry)["permission"], agents.entries[name]?.permission["bash"])) {
          agents.listed.delete(name);
        }
      }
      registerInConfig(raw, { agents: agents.entries, commands, tools: TOOL_NAMES });
      host.setDefaultModel(textOf(raw["model"]) ?? null);
      onPrompt(textOf(recordOf(recordOf(raw["agent"])[GAIA])["prompt"]) ?? "");
    },
  });
}

/** Commands that stand in the configuration already, and are not ours from an earlier pass. */
function usersCommands(
  configured: JsonRecord,
  ours: Readonly<Record<string, { readonly template: string }>>,
): string[] {
  return Object.keys(configured).filter(
    (name) => recordOf(configured[name])["template"] !== ours[name]?.template,
  );
}

/** Whether an agent's entry has rules for bash that are not ours from an earlier pass. */
function rulesBash(permission: unknown, ours: unknown): boolean {
  if (typeof permission === "string") return true;
  const rules = recordOf(permission);
  const concernsBash = Object.keys(rules).some((key) => key === "bash" || key.includes("*"));
  return concernsBash && JSON.stringify(rules["bash"]) !== JSON.stringify(ours);
}
