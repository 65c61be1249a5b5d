import { GAIA } from "../agents/gaia.ts";
import { hasAnchoredEditing } from "../config/editing.ts";
import type { HookDefinition } from "../host/hook.ts";
import type { Runtime } from "../runtime.ts";
import { listFileTools } from "../tools/registry.ts";
import { createAdviseEditsHook } from "./advise-edits.ts";
import { createCaptureDeedsHook } from "./capture-deeds.ts";
import { createCollaborateHook } from "./collaborate.ts";
import { createCompactionHook } from "./compaction.ts";
import { createCompactionSummaryHook } from "./compaction-summary.ts";
import { createContainShellHook } from "./contain-shell.ts";
import { createEnterWorktreeHook } from "./enter-worktree.ts";
import { createGuardToolsHook } from "./guard-tools.ts";
import { createHoldNativeEditsHook } from "./hold-native-edits.ts";
import { createHoldRequestsHook } from "./hold-requests.ts";
import { createHideSecretsHook } from "./hide-secrets.ts";
import { createLeaveWorktreeHook } from "./leave-worktree.ts";
import { createMarkLinesHook } from "./mark-lines.ts";
import { createMessageContextHook } from "./message-context.ts";
import { createNoteTextsHook } from "./note-texts.ts";
import { createModelParametersHook } from "./model-parameters.ts";
import { createObserveEventsHook } from "./observe-events.ts";
import { createOwnQuestionsHook } from "./own-questions.ts";
import { createProjectContextHook } from "./project-context.ts";
import { createPrepareCallsHook } from "./prepare-calls.ts";
import { createRecordBoundaryHook } from "./record-boundary.ts";
import { createReportContainmentHook } from "./report-containment.ts";
import { createReportToolsHook } from "./report-tools.ts";
import { createSafeShellHook } from "./safe-shell.ts";
import { createSharedBeginningHook } from "./shared-beginning.ts";
import { createSlashCommands } from "./slash-commands.ts";
import { createTellMessagesHook } from "./tell-messages.ts";
import { createTellNewErrorsHook } from "./tell-new-errors.ts";
import { createTellRulesHook } from "./tell-rules.ts";
import { createTellTrustHook } from "./tell-trust.ts";
import { createTrackSpeakerHook } from "./track-speaker.ts";
import { createWatchShellHook } from "./watch-shell.ts";

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
    // Whatever `lanes` says: candidates have worktrees, and a unit may have a branch.
    createEnterWorktreeHook(runtime),
    ...(fileTools.length > 0 ? [createPrepareCallsHook(runtime, fileTools)] : []),
    ...(isAnchored ? [createHoldNativeEditsHook(runtime)] : []),
    createRecordBoundaryHook(runtime),
    createGuardToolsHook(runtime),
    ...(config.code === "on" ? [createNoteTextsHook(runtime)] : []),
    createOwnQuestionsHook(runtime),
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
