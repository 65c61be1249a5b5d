import { renderProblem } from "../config/problem.ts";
import { describeUnsupported } from "../host/supported-versions.ts";
import { defineHook, type HookDefinition } from "../host/hook.ts";
import type { Start } from "../runtime.ts";

/** More lines than this do not fit into a toast. */
const MAX_LINES = 3;

/**
 * Tells the user of an OpenCode that is not supported and of configuration that was ignored: once, at the first
 * message, because at start-up there may be no screen yet and OpenCode answers nobody (SPEC 7: never fails silently).
 */
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
    onFailure: "open",
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
  const message = version === null ? null : describeUnsupported(version);
  if (message === null) return;
  host.logger.log("warn", "version", message);
  await host.toast("warning", message);
}
