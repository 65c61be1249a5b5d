import type { HookDefinition } from "../host/hook.ts";
import type { OpenCodeHost } from "../host/opencode/adapter.ts";
import { readEvent } from "../host/opencode/events.ts";
import type { Runtime } from "../runtime.ts";
import { createCaptureDeedsHook } from "./capture-deeds.ts";
import { createCompaction } from "./compaction.ts";
import { createMessageContextHook } from "./message-context.ts";
import { createModelParametersHook } from "./model-parameters.ts";
import { createObserveEventsHook } from "./observe-events.ts";
import { createProjectContextHook } from "./project-context.ts";
import { createRegisterHook } from "./register.ts";
import { createReadOnlyBashHook } from "./read-only-bash.ts";
import { createRecordBoundaryHook } from "./record-boundary.ts";
import { createReportProblemsHook } from "./report-problems.ts";
import { createTrackSpeakerHook } from "./track-speaker.ts";
import { createUserSpokeHook } from "./user-spoke.ts";

/** All hooks in the order in which they run; at one event, the list's order is the only order. */
export function listHooks(runtime: Runtime, host: OpenCodeHost): HookDefinition[] {
  const { engine, gate, sessions, context, memory } = runtime;
  const compaction = createCompaction(runtime);
  let gaiaPrompt = "";
  return [
    createRegisterHook(runtime, host, (prompt) => {
      gaiaPrompt = prompt;
    }),
    createObserveEventsHook(readEvent, [
      host.observe,
      sessions.observe,
      engine.observe,
      gate.observe,
      (event) => {
        if (event.type === "session.compacted") context.forget(event.sessionId);
      },
      memory.observe,
      compaction.observe,
    ]),
    createTrackSpeakerHook(runtime),
    createUserSpokeHook(runtime),
    createReportProblemsHook(runtime),
    createMessageContextHook(runtime),
    createProjectContextHook(runtime, () => gaiaPrompt),
    createModelParametersHook(runtime),
    createReadOnlyBashHook(runtime),
    createRecordBoundaryHook(runtime),
    createCaptureDeedsHook(runtime),
    ...compaction.hooks,
  ];
}
