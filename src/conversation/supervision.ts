import type { CollaborationDefaults } from "./collaboration/defaults.ts";
import type { DelegationEngine } from "../delegation/engine.ts";
import type { GaiaSessions } from "../delegation/gaia-sessions.ts";
import type { Host, HostEvent } from "../host/port.ts";
import type { Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";
import type { Redactor } from "../lib/redaction.ts";
import type { Verifier } from "../checks/verifier.ts";
import type { Workspace } from "../workspace/workspace.ts";
import { followDelegations } from "./delegations.ts";
import { createDialogs, type Dialogs } from "./approvals/dialogs.ts";
import { createHandshake, type Handshake } from "./questions/handshake.ts";
import type { ExamineCall } from "../policy/load-policy.ts";
import type { DefinitionOfDoneReport } from "../checks/definition-of-done/report.ts";
import { panelCheck } from "./display/panel-snapshot.ts";
import { followRequests } from "./display/panel-requests.ts";
import { renderStatus } from "./display/status.ts";
import { createReminders, finishedDelegation } from "./reminders/reminders.ts";
import { createReviews } from "./reviews/reviews.ts";
import type { Conversation, ConversationEvent } from "./conversation.ts";
import { createConversations, type Conversations } from "./conversations.ts";
import type { Stages } from "./planning/stage.ts";
import { createToolCalls, type ToolCalls } from "./tool-calls/tool-calls.ts";
import { followUnits } from "./record/unit-progress.ts";

/** How OpenCode words a rejection for which the user gave a reason. */
const FEEDBACK = /rejected permission .* with the following feedback: ([^]+)$/;

/** Events by which a person says how to go on. */
const SPOKEN: ReadonlySet<ConversationEvent["type"]> = new Set(["user-message", "next", "question-answered"]);

/** Watches over the GAIA conversations of one instance (SPEC 8, 9). */
export interface Supervision {
  readonly conversations: Conversations;
  readonly calls: ToolCalls;
  readonly dialogs: Dialogs;
  readonly handshake: Handshake;
  readonly defaults: CollaborationDefaults;
  observe(event: HostEvent): void;
  /** Whether a check-in or a stop holds up this conversation, so that nobody but the user may wake it. */
  isPaused(rootId: string): boolean;
  /** What `/gaia-status` says of a conversation. */
  statusOf(conversation: Conversation): Promise<string>;
  /** The project's checks were run for a conversation. */
  checked(rootId: string, report: DefinitionOfDoneReport): void;
  /** Ends timers and writes what is still to be written. */
  dispose(): Promise<void>;
}

/** What the supervision needs. */
export interface SupervisionInput {
  readonly host: Host;
  readonly clock: Clock;
  readonly engine: DelegationEngine;
  readonly sessions: GaiaSessions;
  readonly workspace: Workspace;
  readonly verifier: Verifier;
  readonly stages: Stages;
  readonly redact: Redactor;
  readonly examine: ExamineCall;
  readonly defaults: CollaborationDefaults;
  /** Which reminders are wanted. */
  readonly guards: { readonly harvestReminder: boolean; readonly todoReminder: boolean };
  readonly orchestrator: string;
  readonly historian: string;
  /** Agents whose commands only read, the orchestrator among them. */
  readonly readers: readonly string[];
  /** Whether OpenCode holds this agent to the table of read-only commands. */
  isListed(agent: string): boolean;
  /** Everybody whom work can be delegated to, and those of them that change nothing. */
  readonly specialists: readonly string[];
  readonly harmless: readonly string[];
}

export function createSupervision(input: SupervisionInput): Supervision {
  const { host, engine, defaults, guards } = input;
  const reviews = createReviews(input.redact, (rootId) => input.stages.get(rootId) !== null);
  const reminders = createReminders({ harvest: guards.harvestReminder, todos: guards.todoReminder });
  const heard = (conversation: Conversation, { type }: ConversationEvent): void => {
    const { rootId } = conversation;
    if (type === "wave-opened") {
      reminders.observe(conversation, { kind: "wave-opened" });
      reviews.waveOpened(conversation);
    }
    if (!SPOKEN.has(type)) return;
    reviews.userSpoke(rootId);
    input.verifier.userSpoke(rootId);
  };
  const conversations = createConversations({ ...input, heard, tasksOf: engine.tasks.ofParent });
  const statusOf = async (conversation: Conversation): Promise<string> => {
    const unit = await input.workspace.readWorkUnit();
    return renderStatus({
      state: conversation.state,
      defaults,
      plan: unit.ok ? unit : null,
      tasks: engine.tasks.ofParent(conversation.rootId),
      checks: input.verifier.last(),
      now: input.clock.now(),
    });
  };
  const followers = [
    followUnits(conversations, input.workspace, input.clock, host.logger),
    followRequests(conversations, host, input.clock, statusOf),
  ];
  const delegations = followDelegations(engine.tasks, conversations, {
    started(conversation, { agent }) {
      reminders.observe(conversation, { kind: "delegation-started", agent });
    },
    finished(conversation, task, changed) {
      reviews.finished(conversation, task, changed);
      reminders.observe(conversation, finishedDelegation(task));
    },
  });
  const dialogs: Dialogs = createDialogs({
    ...input,
    conversations,
    call: (callId) => calls.get(callId),
    placeOf: delegations.placeOf,
  });
  const calls: ToolCalls = createToolCalls({
    ...input,
    directory: host.directory,
    conversations,
    wasRejected: dialogs.wasRejected,
    stop(rootId) {
      void host.toast("warning", "GAIA went on although the work is BLOCKED; her turn was stopped.");
      host.sessions.abort(rootId).catch((error: unknown) => {
        host.logger.log("warn", "supervision", describeError(error), { rootId });
      });
    },
  });

  const turnChanged = (rootId: string, busy: boolean): void => {
    const conversation = conversations.peek(rootId);
    if (conversation === undefined) return;
    conversation.busy = busy;
    if (busy) return;
    conversation.dispatch({ type: "turn-ended" });
    // A note that cannot be written is logged there.
    void conversation.outbox.flush();
  };

  /** OpenCode tells the user's words only to the agent, as the error of the call. */
  const explainRejection = ({
    sessionId,
    error = "",
  }: Extract<HostEvent, { type: "tool.activity" }>): void => {
    const words = FEEDBACK.exec(error)?.[1]?.trim() ?? "";
    if (words === "") return;
    const explain = async (): Promise<void> => {
      (await conversations.of(sessionId))?.conversation.dispatch({
        type: "rejection-explained",
        reason: words,
      });
    };
    explain().catch((failure: unknown) => {
      host.logger.log("debug", "supervision", describeError(failure));
    });
  };

  return {
    conversations,
    calls,
    dialogs,
    handshake: createHandshake(input),
    defaults,
    observe(event) {
      for (const follow of followers) follow(event);
      switch (event.type) {
        case "permission.asked":
        case "permission.replied":
          dialogs.observe(event);
          return;
        case "tool.activity":
          explainRejection(event);
          calls.observe(event);
          return;
        case "todos.updated": {
          const conversation = conversations.peek(event.sessionId);
          if (conversation) reminders.observe(conversation, { kind: "todos-written", count: event.total });
          return;
        }
        case "session.status":
          turnChanged(event.sessionId, event.status === "busy");
          return;
        case "session.error":
          if (event.failure.name === "MessageAbortedError") {
            conversations.peek(event.sessionId)?.dispatch({ type: "aborted" });
          }
          return;
        case "session.deleted":
          for (const conversation of conversations.all())
            conversation.dispatch({ type: "session-ended", sessionId: event.sessionId });
          conversations.forget(event.sessionId);
          for (const memory of [reviews, reminders]) memory.forget(event.sessionId);
          input.verifier.forget(event.sessionId);
          return;
        default:
      }
    },
    isPaused: (rootId) => (conversations.peek(rootId)?.state.pause ?? null) !== null,
    statusOf,
    checked(rootId, report) {
      conversations.peek(rootId)?.learn({ check: panelCheck(report) });
    },
    async dispose() {
      delegations.dispose();
      await conversations.dispose();
    },
  };
}
