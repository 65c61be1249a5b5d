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
  const commands = commandEntries(existsSync(join(host.project, GAIA_FOLDER)));
  return defineHook({
    id: "register",
    event: "configuration",
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

/** More lines than this do not fit into a toast. */
const MAX_LINES = 3;

/** Tells of an unsupported OpenCode and of ignored configuration, at the first message: at start-up there may be no screen. */
export function createReportProblemsHook({
  host,
  problems,
}: Pick<Start, "host" | "problems">): HookDefinition {
  const lines = problems.map(renderProblem);
  for (const line of lines) host.logger.log("warn", "config", line);
  let told = false;
  return defineHook({
    id: "report-problems",
    event: "user-message",
    why: "any message will do; native agents' users want to know as well",
    async run() {
      if (told) return;
      told = true;
      void tellVersion(host); // The turn does not wait for it.
      if (lines.length === 0) return;
      const more =
        lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} more in OpenCode's log.`] : [];
      await host.toast(
        "warning",
        ["Configuration problems:", ...lines.slice(0, MAX_LINES), ...more].join("\n"),
      );
    },
  });
}

async function tellVersion(host: Start["host"]): Promise<void> {
  const version = await host.version();
  const found = version === null ? null : describeUnsupported(version);
  if (found === null) return;
  const message = `${found.what} Parts of GAIA may not work. ${found.fix}`;
  host.logger.log("warn", "version", message);
  await host.toast("warning", message);
}
