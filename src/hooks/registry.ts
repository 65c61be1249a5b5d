import type { HookDefinition } from "../host/hook.ts";
import type { OpenCodeHost } from "../host/opencode/adapter.ts";
import { readEvent } from "../host/opencode/events.ts";
import type { Runtime } from "../runtime.ts";
import { createAdviseEditsHook } from "./advise-edits.ts";
import { createCaptureDeedsHook } from "./capture-deeds.ts";
import { createCollaborateHook } from "./collaborate.ts";
import { createCompaction } from "./compaction.ts";
import { createGuardToolsHook } from "./guard-tools.ts";
import { createMessageContextHook } from "./message-context.ts";
import { createModelParametersHook } from "./model-parameters.ts";
import { createObserveEventsHook } from "./observe-events.ts";
import { createOwnQuestionsHook } from "./own-questions.ts";
import { createProjectContextHook } from "./project-context.ts";
import { createRegisterHook } from "./register.ts";
import { createRecordBoundaryHook } from "./record-boundary.ts";
import { createReportProblemsHook } from "./report-problems.ts";
import { createReportToolsHook } from "./report-tools.ts";
import { createSlashCommands } from "./slash-commands.ts";
import { createTrackSpeakerHook } from "./track-speaker.ts";
import { createUserSpokeHook } from "./user-spoke.ts";

/** All hooks in the order in which they run; at one event, the list's order is the only order. */
export function listHooks(runtime: Runtime, host: OpenCodeHost): HookDefinition[] {
  const { continuation, supervision, engine, gate, sessions, context, memory, offers, stages } = runtime;
  const commands = createSlashCommands(runtime);
  const compaction = createCompaction(runtime);
  let gaiaPrompt = "";
  return [
    createRegisterHook(
      runtime,
      host,
      (prompt) => {
        gaiaPrompt = prompt;
      },
      commands.leaveAlone,
    ),
    createObserveEventsHook(readEvent, [
      host.observe,
      sessions.observe,
      engine.observe,
      gate.observe,
      (event) => {
        if (event.type === "session.compacted") context.forget(event.sessionId);
        if (event.type !== "session.deleted") return;
        stages.end(event.sessionId);
        offers.forget(event.sessionId);
        runtime.assumptions.forget(event.sessionId);
      },
      supervision.observe,
      (event) => {
        continuation?.observe(event);
      },
      memory.observe,
      compaction.observe,
    ]),
    createTrackSpeakerHook(runtime),
    createUserSpokeHook(runtime),
    createReportProblemsHook(runtime),
    createMessageContextHook(runtime),
    createCollaborateHook(runtime, commands.take),
    commands.hook,
    createProjectContextHook(runtime, () => gaiaPrompt),
    createModelParametersHook(runtime),
    createRecordBoundaryHook(runtime),
    createGuardToolsHook(runtime),
    createOwnQuestionsHook(runtime),
    createAdviseEditsHook(runtime),
    createReportToolsHook(runtime),
    createCaptureDeedsHook(runtime),
    ...compaction.hooks,
  ];
}
