import type { ResolvedConfig } from "../config/schema.ts";
import type { EngineSettings } from "./engine.ts";

/** A running tool may be silent this many times longer than a thinking model. */
const TOOL_PATIENCE = 5;

/** The engine's bounds in its own units, from the user's configuration. */
export function engineSettings(
  config: Pick<ResolvedConfig, "delegation" | "autopilotSafeguards">,
): EngineSettings {
  const { stallSeconds, maxTaskMinutes, maxConcurrent } = config.delegation;
  return {
    queue: { background: config.autopilotSafeguards.maxBackgroundTasks, ...maxConcurrent },
    watchdog: {
      stallMs: stallSeconds * 1000,
      toolStallMs: stallSeconds * 1000 * TOOL_PATIENCE,
      totalMs: maxTaskMinutes * 60_000,
    },
  };
}
