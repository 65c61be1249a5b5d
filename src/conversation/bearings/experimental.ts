import type { ResolvedConfig } from "../../config/schema.ts";
import type { Host } from "../../host/port.ts";

type ExperimentalHook = keyof ResolvedConfig["experimental"];

/** What the user is told of a hook that is not called. */
const NOT_CALLED: Record<ExperimentalHook, string> = {
  systemContext:
    "This OpenCode lets nothing be added to the system prompt: the project's context comes with your message instead.",
  compaction:
    "This OpenCode does not tell of a compaction: the open tasks come with your next message instead.",
  compactionSummary:
    "This OpenCode lets nothing be added to a summary: the open tasks come with your next message instead.",
};

/** The hooks that OpenCode calls experimental: any release may drop one, and a feature must not go with it silently. */
export interface ExperimentalHooks {
  called(hook: ExperimentalHook): void;
  /** The moment at which the host should have called it is over: if it never did, the user is told, once. */
  due(hook: ExperimentalHook): void;
  /** Whether it is switched off, or was found never to be called. */
  isMissing(hook: ExperimentalHook): boolean;
}

/** @param wanted the switches of the configuration */
export function createExperimentalHooks(
  host: Host,
  wanted: ResolvedConfig["experimental"],
): ExperimentalHooks {
  const called = new Set<ExperimentalHook>();
  const missed = new Set<ExperimentalHook>();
  const isOn = (hook: ExperimentalHook): boolean => wanted[hook];
  return {
    called(hook) {
      called.add(hook);
      missed.delete(hook);
    },
    due(hook) {
      if (!isOn(hook) || called.has(hook) || missed.has(hook)) return;
      missed.add(hook);
      host.logger.log("warn", "experimental", NOT_CALLED[hook]);
      void host.toast("warning", NOT_CALLED[hook]);
    },
    isMissing: (hook) => !isOn(hook) || missed.has(hook),
  };
}
