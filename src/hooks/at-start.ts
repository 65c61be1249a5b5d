import { existsSync } from "node:fs";
import { join } from "node:path";
import { commandEntries } from "../commands/menu.ts";
import { renderProblem } from "../config/problem.ts";
import { describeUnsupported } from "../host/supported-versions.ts";
import type { Start } from "../runtime.ts";
import { fileToolNames, TOOL_NAMES } from "../tools/announced.ts";
import { GAIA_FOLDER } from "../record/store.ts";
import { defineHook, type HookDefinition } from "../host/hook-events.ts";

/** Registers agents and commands, and notes what only the host's merged configuration can tell. */
export function createRegisterHook({ host, agents, config, noteRegistered }: Start): HookDefinition {
  return defineHook({
    id: "register",
    event: "configuration",
    run(configuration) {
      const commands = commandEntries(existsSync(join(host.project, GAIA_FOLDER)));
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

/** More lines than this do not fit into a toast. */
const MAX_LINES = 3;

/**
 * Tells of an unsupported OpenCode, of ignored configuration, and of names that are taken, at the first message: at start-up there
 * may be no screen. `opencode run` has none either, so that it gets all of it on stderr.
 */
export function createReportProblemsHook({ host, problems, ...start }: Start): HookDefinition {
  const tell = async (title: string, lines: readonly string[]): Promise<void> => {
    if (lines.length === 0) return;
    for (const line of lines) host.logger.log("warn", "start", line);
    host.oneShot?.print([title, ...lines].join("\n").trim());
    const more = lines.length > MAX_LINES ? "… and more in OpenCode's log." : "";
    await host.toast("warning", [title, ...lines.slice(0, MAX_LINES), more].join("\n").trim());
  };
  const tellVersion = async (): Promise<void> => {
    const found = describeUnsupported((await host.version()) ?? "");
    if (found !== null) await tell("", [`${found.what} Parts of GAIA may not work. ${found.fix}`]);
  };
  let told = false;
  return defineHook({
    id: "report-problems",
    event: "user-message",
    why: "any message will do; native agents' users want to know as well",
    async run() {
      if (told) return;
      told = true;
      void tellVersion(); // The turn does not wait for it.
      await tell("Configuration problems:", problems.map(renderProblem));
      await tell("Names of GAIA's agents that others use too:", namesTaken(start));
    },
  });
}

const TAKEN =
  "has the prompt of another agent of that name (an agent file, opencode.json or another plugin) with GAIA's tools and permissions. Rename that agent; a change of GAIA's own belongs into .gaia/config.jsonc";

/** Agents of ours with another one's prompt: the user's own of that name, or another plugin's. OpenCode lets it win (SPEC 3). */
function namesTaken({ agents, registered }: Pick<Start, "agents" | "registered">): string[] {
  const taken = registered().agents.filter(
    ({ name, prompt }) => (agents.entries[name]?.prompt ?? prompt) !== prompt,
  );
  return taken.map(({ name }) => `"${name}" ${TAKEN}: "agents": { "${name}": … }.`);
}
