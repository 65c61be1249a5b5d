import { GAIA } from "../agents/gaia.ts";
import { hasAnchoredEditing } from "../config/editing.ts";
import type { HostEvent } from "../host/port.ts";
import type { Runtime } from "../runtime.ts";
import { listFileTools } from "../tools/registry.ts";
import {
  createAdviseEditsHook,
  createCaptureDeedsHook,
  createHideSecretsHook,
  createLeaveWorktreeHook,
  createMarkLinesHook,
  createReportContainmentHook,
  createReportToolsHook,
  createTellMessagesHook,
  createTellNewErrorsHook,
  createTellRulesHook,
} from "./after-tools.ts";
import {
  createContainShellHook,
  createGuardToolsHook,
  createNoteTextsHook,
  createSafeShellHook,
  createWatchShellHook,
} from "./before-tools.ts";
import { createCollaborateHook, createSlashCommands } from "./collaborate.ts";
import { createMessageContextHook, createTellTrustHook, createTrackSpeakerHook } from "./on-messages.ts";
import {
  createCompactionHook,
  createCompactionSummaryHook,
  createHoldRequestsHook,
  createModelParametersHook,
  createProjectContextHook,
  createSharedBeginningHook,
} from "./on-requests.ts";
import { defineHook, type HookDefinition } from "../host/hook-events.ts";

/** Feeds the host's events to everything that keeps state. */
function createObserveEventsHook(observers: readonly ((event: HostEvent) => void)[]): HookDefinition {
  return defineHook({
    id: "observe-events",
    event: "host-event",
    why: "the only hook at this event",
    onFailure: "open",
    run(event) {
      for (const observe of observers) observe(event);
    },
  });
}

/** The hooks of GAIA's features in the order in which they run; at one event, the list's order is the only order. */
export function listHooks(runtime: Runtime): HookDefinition[] {
  const { supervision, conversations, engine, bounds, ledger, registered, config, agents } = runtime;
  const commands = createSlashCommands(runtime);
  const promptOf = (agent: string): string =>
    registered().agents.find(({ name }) => name === agent)?.prompt ?? "";
  const isOn = config.experimental;
  const fileTools = listFileTools(runtime);
  const isAnchored = hasAnchoredEditing(config);
  return [
    createObserveEventsHook([
      ledger.observe,
      bounds.observe,
      engine.observe,
      supervision.observe,
      conversations.observe,
      commands.observe,
    ]),
    createTrackSpeakerHook(runtime),
    createTellTrustHook(runtime),
    createMessageContextHook(runtime),
    createCollaborateHook(runtime, commands),
    commands.hook,
    createSharedBeginningHook(() => [...agents.specialists.keys()].map(promptOf)),
    ...(isOn.systemContext ? [createProjectContextHook(runtime, () => promptOf(GAIA))] : []),
    createHoldRequestsHook(runtime),
    createModelParametersHook(runtime),
    createGuardToolsHook(runtime, fileTools),
    ...(config.code === "on" ? [createNoteTextsHook(runtime)] : []),
    createSafeShellHook(runtime),
    createWatchShellHook(runtime),
    createContainShellHook(runtime),
    createHideSecretsHook(runtime),
    createLeaveWorktreeHook(runtime),
    ...(isAnchored ? [createMarkLinesHook(runtime)] : []),
    createReportContainmentHook(runtime),
    createAdviseEditsHook(runtime),
    createTellRulesHook(runtime),
    ...(config.code === "on" ? [createTellNewErrorsHook(runtime)] : []),
    ...(config.delegation.messages === "on" ? [createTellMessagesHook(runtime)] : []),
    createReportToolsHook(runtime),
    createCaptureDeedsHook(runtime),
    ...(isOn.compaction ? [createCompactionHook(runtime)] : []),
    ...(isOn.compactionSummary ? [createCompactionSummaryHook(runtime)] : []),
  ];
}
