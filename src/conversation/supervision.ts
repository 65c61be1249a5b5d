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
import type { Judge } from "../policy/judge.ts";
import type { DefinitionOfDoneReport } from "../checks/definition-of-done/report.ts";
import { panelCheck } from "./display/panel-snapshot.ts";
import { followRequests } from "./display/panel-requests.ts";
import { renderStatus } from "./display/status.ts";
import { createReminders, finishedDelegation } from "./reminders/reminders.ts";
import { createReviews } from "./reviews/reviews.ts";
import type { Room, RoomEvent } from "./conversation.ts";
import { createRooms, type Rooms } from "./conversations.ts";
import type { Stages } from "./planning/stage.ts";
import { createToolCalls, type ToolCalls } from "./tool-calls/tool-calls.ts";
import { followUnits } from "./record/unit-progress.ts";

/** How OpenCode words a rejection for which the user gave a reason. */
const FEEDBACK = /rejected permission .* with the following feedback: ([^]+)$/;

/** Events by which a person says how to go on. */
const SPOKEN: ReadonlySet<RoomEvent["type"]> = new Set(["user-message", "next", "question-answered"]);

/** The control room: one per instance, with a room for each GAIA conversation (SPEC 8, 9). */
export interface Control {
  readonly rooms: Rooms;
  readonly calls: ToolCalls;
  readonly dialogs: Dialogs;
  readonly handshake: Handshake;
  readonly defaults: CollaborationDefaults;
  observe(event: HostEvent): void;
  /** Whether a check-in or a stop holds up this conversation, so that nobody but the user may wake it. */
  isPaused(rootId: string): boolean;
  /** What `/gaia-status` says of a conversation. */
  statusOf(room: Room): Promise<string>;
  /** The project's checks were run for a conversation. */
  checked(rootId: string, report: DefinitionOfDoneReport): void;
  /** Ends timers and writes what is still to be written. */
  dispose(): Promise<void>;
}

/** What the control room needs. */
export interface ControlInput {
  readonly host: Host;
  readonly clock: Clock;
  readonly engine: DelegationEngine;
  readonly sessions: GaiaSessions;
  readonly workspace: Workspace;
  readonly verifier: Verifier;
  readonly stages: Stages;
  readonly redact: Redactor;
  readonly judge: Judge;
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

export function createControl(input: ControlInput): Control {
  const { host, engine, defaults, guards } = input;
  const reviews = createReviews(input.redact, (rootId) => input.stages.get(rootId) !== null);
  const reminders = createReminders({ harvest: guards.harvestReminder, todos: guards.todoReminder });
  const heard = (room: Room, { type }: RoomEvent): void => {
    const { rootId } = room;
    if (type === "wave-opened") {
      reminders.observe(room, { kind: "wave-opened" });
      reviews.waveOpened(room);
    }
    if (!SPOKEN.has(type)) return;
    reviews.userSpoke(rootId);
    input.verifier.userSpoke(rootId);
  };
  const rooms = createRooms({ ...input, heard, tasksOf: engine.tasks.ofParent });
  const statusOf = async (room: Room): Promise<string> => {
    const unit = await input.workspace.readWorkUnit();
    return renderStatus({
      state: room.state,
      defaults,
      plan: unit.ok ? unit : null,
      tasks: engine.tasks.ofParent(room.rootId),
      checks: input.verifier.last(),
      now: input.clock.now(),
    });
  };
  const followers = [
    followUnits(rooms, input.workspace, input.clock, host.logger),
    followRequests(rooms, host, input.clock, statusOf),
  ];
  const delegations = followDelegations(engine.tasks, rooms, {
    started(room, { agent }) {
      reminders.observe(room, { kind: "delegation-started", agent });
    },
    finished(room, task, changed) {
      reviews.finished(room, task, changed);
      reminders.observe(room, finishedDelegation(task));
    },
  });
  const dialogs: Dialogs = createDialogs({
    ...input,
    rooms,
    call: (callId) => calls.get(callId),
    placeOf: delegations.placeOf,
  });
  const calls: ToolCalls = createToolCalls({
    ...input,
    directory: host.directory,
    rooms,
    wasRejected: dialogs.wasRejected,
    stop(rootId) {
      void host.toast("warning", "GAIA went on although the work is BLOCKED; her turn was stopped.");
      host.sessions.abort(rootId).catch((error: unknown) => {
        host.logger.log("warn", "control", describeError(error), { rootId });
      });
    },
  });

  const turnChanged = (rootId: string, busy: boolean): void => {
    const room = rooms.peek(rootId);
    if (room === undefined) return;
    room.busy = busy;
    if (busy) return;
    room.dispatch({ type: "turn-ended" });
    // A note that cannot be written is logged there.
    void room.outbox.flush();
  };

  /** OpenCode tells the user's words only to the agent, as the error of the call. */
  const explainRejection = ({
    sessionId,
    error = "",
  }: Extract<HostEvent, { type: "tool.activity" }>): void => {
    const words = FEEDBACK.exec(error)?.[1]?.trim() ?? "";
    if (words === "") return;
    const explain = async (): Promise<void> => {
      (await rooms.of(sessionId))?.room.dispatch({ type: "rejection-explained", reason: words });
    };
    explain().catch((failure: unknown) => {
      host.logger.log("debug", "control", describeError(failure));
    });
  };

  return {
    rooms,
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
          const room = rooms.peek(event.sessionId);
          if (room) reminders.observe(room, { kind: "todos-written", count: event.total });
          return;
        }
        case "session.status":
          turnChanged(event.sessionId, event.status === "busy");
          return;
        case "session.error":
          if (event.failure.name === "MessageAbortedError") {
            rooms.peek(event.sessionId)?.dispatch({ type: "aborted" });
          }
          return;
        case "session.deleted":
          for (const room of rooms.all())
            room.dispatch({ type: "session-ended", sessionId: event.sessionId });
          rooms.forget(event.sessionId);
          for (const memory of [reviews, reminders]) memory.forget(event.sessionId);
          input.verifier.forget(event.sessionId);
          return;
        default:
      }
    },
    isPaused: (rootId) => (rooms.peek(rootId)?.state.pause ?? null) !== null,
    statusOf,
    checked(rootId, report) {
      rooms.peek(rootId)?.learn({ check: panelCheck(report) });
    },
    async dispose() {
      delegations.dispose();
      await rooms.dispose();
    },
  };
}
