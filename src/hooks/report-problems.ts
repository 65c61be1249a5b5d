import { renderProblem } from "../config/problem.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";

/** More lines than this do not fit into a toast. */
const MAX_LINES = 3;

/**
 * Tells the user of configuration that was ignored: once, at the first message, because at start-up there may be no
 * screen yet. The log has all of it from the start (SPEC 7: never fails silently).
 */
export function createReportProblemsHook({ host, problems }: Runtime): HookDefinition {
  const lines = problems.map(renderProblem);
  for (const line of lines) host.logger.log("warn", "config", line);
  let told = lines.length === 0;
  return defineHook({
    id: "report-problems",
    event: "chat.message",
    why: "any message will do; native agents' users want to know as well",
    onFailure: "open",
    async run() {
      if (told) return;
      told = true;
      const more =
        lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} more in OpenCode's log.`] : [];
      await host.toast(
        "warning",
        ["Configuration problems:", ...lines.slice(0, MAX_LINES), ...more].join("\n"),
      );
    },
  });
}
