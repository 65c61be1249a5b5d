import type { Activity } from "./collaboration/activity.ts";
import { renderActivity } from "./collaboration/activity.ts";
import { renderPacketForModel, renderPacketForUser } from "./collaboration/checkin-packet.ts";
import { renderCollaborationTag } from "./collaboration/collaboration-tag.ts";
import type { CollaborationDefaults } from "./collaboration/defaults.ts";
import type { CollaborationEffect } from "./collaboration/effects.ts";
import type { DialogEvent, UserEvent, WorkEvent } from "./collaboration/events.ts";
import { reduceCollaboration } from "./collaboration/reducer.ts";
import { snapshotState } from "./collaboration/snapshot.ts";
import type { CollaborationState } from "./collaboration/state.ts";
import { ROOT_MARK } from "../delegation/gaia-sessions.ts";
import type { Task } from "../delegation/task.ts";
import type { Host } from "../host/port.ts";
import type { Clock } from "../lib/clock.ts";
import type { DecisionLog } from "./record/decision-log.ts";
import { PANEL_KEY, REQUEST_KEY, SNAPSHOT_KEY } from "./display/metadata-keys.ts";
import { createMirror } from "./display/mirror.ts";
import type { Outbox } from "./display/outbox.ts";
import { snapshotPanel, type PanelFacts } from "./display/panel-snapshot.ts";
import type { UnitLog } from "./record/unit-log.ts";

/** Work time changes with every look at the clock. */
const PASSING = new Set(["activeMs"]);
/** How often the budgets are looked at while somebody works, in milliseconds. */
const TICK_MS = 5_000;
/** How long the reason may be behind its rejection, in milliseconds. */
const REASON_DELAY_MS = 400;
const ASK_RAMP =
  'Instead, call question now with header "Pair ramp" (the plugin fills in the rest) and act on the answer.';

/** An event without its time, which the conversation adds. */
export type ConversationEvent = UserEvent | DialogEvent | WorkEvent;

/** One GAIA conversation: its state, and everything that follows from it outside. */
export interface Conversation {
  readonly rootId: string;
  readonly state: CollaborationState;
  readonly outbox: Outbox;
  readonly decisions: DecisionLog;
  /** Whether a model turn runs in the root session. */
  busy: boolean;
  dispatch(event: ConversationEvent): void;
  show(activity: Activity): void;
  /** Tells the model something with what it gets next. */
  tell(line: string): void;
  /** Takes note of what only the panel shows; without facts, that its specialists have changed. */
  learn(facts?: Partial<PanelFacts>): void;
  /** The session's metadata were written by somebody else: ours are written again, and the panel's request goes. */
  renew(): void;
  /**
   * What the model has to be told next, each line once: check-ins, guidance after feedback, and the collaboration line when
   * the knobs have turned since it was told last.
   */
  takeLines(): string[];
  /** An entry for a unit's log; by default that of the unit which this conversation is about. */
  log(title: string, markdown: string, unit?: string | null): Promise<void>;
  /** The line that ends a message, noted as told. */
  tag(): string;
  dispose(): void;
}

/** What a conversation works with. */
export interface ConversationInput {
  readonly host: Host;
  readonly clock: Clock;
  readonly defaults: CollaborationDefaults;
  readonly outbox: Outbox;
  readonly decisions: DecisionLog;
  /** What is known for the panel from an earlier OpenCode. */
  readonly facts: PanelFacts;
  /** All delegations of this conversation. */
  tasks(): readonly Task[];
  readonly unitLog: UnitLog;
  /** Called after each event. */
  heard(conversation: Conversation, event: ConversationEvent): void;
}

export function createConversation(start: CollaborationState, parts: ConversationInput): Conversation {
  const { host, clock, defaults, outbox, decisions, unitLog } = parts;
  const { rootSession: rootId } = start;
  let state = start;
  let lines: string[] = [];
  let told = "";
  let { facts } = parts;
  let cancelTick: (() => void) | null = null;
  decisions.unitChanged(state.workUnit);

  const snapshots = (): Record<string, unknown> | null =>
    state.ended
      ? null
      : {
          ...ROOT_MARK,
          [SNAPSHOT_KEY]: snapshotState(state),
          [PANEL_KEY]: snapshotPanel(state, defaults, parts.tasks(), facts),
          [REQUEST_KEY]: undefined,
        };
  const mirror = createMirror(host, clock, rootId, snapshots, PASSING);

  const watchTime = (): void => {
    if (cancelTick !== null || state.idle || state.ended) return;
    cancelTick = clock.after(TICK_MS, () => {
      cancelTick = null;
      conversation.dispatch({ type: "tick" });
    });
  };

  const apply = (effect: CollaborationEffect): void => {
    switch (effect.type) {
      case "toast":
        void host.toast(effect.variant, effect.message);
        return;
      case "note":
        outbox.note(effect.text);
        return;
      case "decision":
        decisions.add(effect.row);
        return;
      case "log":
        void unitLog.add(effect.workUnit, effect.title, effect.markdown);
        return;
      case "checkin":
        facts = { ...facts, checkin: renderPacketForUser(effect.packet) };
        outbox.note(facts.checkin);
        lines.push(renderPacketForModel(effect.packet));
        return;
      case "ask-ramp":
        lines.push(ASK_RAMP);
        return;
      case "prefill":
        // Where the user gave a reason with the rejection, it comes a moment later and needs no second one.
        clock.after(REASON_DELAY_MS, () => {
          if (state.rejection !== null) void host.prefill(effect.text);
        });
        return;
      case "steer":
        lines.push(effect.text);
        return;
      case "budget-stop":
        host.logger.log(
          "info",
          "conversation",
          `Budget used up: ${effect.which} ${effect.value}/${effect.limit}`,
          {
            rootId,
          },
        );
        return;
      case "forged-approval":
        host.logger.log("warn", "conversation", `An approval nobody asked for: ${effect.claim}`, { rootId });
    }
  };

  const conversation: Conversation = {
    rootId,
    outbox,
    decisions,
    busy: false,
    get state() {
      return state;
    },
    dispatch(event) {
      const before = state;
      const outcome = reduceCollaboration(state, { ...event, at: Math.max(clock.now(), state.at) }, defaults);
      state = outcome.state;
      decisions.unitChanged(state.workUnit);
      for (const effect of outcome.effects) apply(effect);
      showWave(before, state, conversation.show);
      mirror.touch();
      watchTime();
      parts.heard(conversation, event);
    },
    show(activity) {
      const line = renderActivity(activity, state.knobs.visibility);
      if (line !== null) outbox.activity(line);
    },
    learn(known = {}) {
      facts = { ...facts, ...known };
      mirror.touch();
    },
    renew: mirror.renew,
    takeLines() {
      const taken = lines;
      lines = [];
      return settingsOf(state) === told || told === "" ? taken : [...taken, conversation.tag()];
    },
    tell(line) {
      lines.push(line);
    },
    async log(title, markdown, unit = state.workUnit) {
      await unitLog.add(unit, title, markdown);
    },
    tag() {
      told = settingsOf(state);
      return renderCollaborationTag(state);
    },
    dispose() {
      cancelTick?.();
      mirror.dispose();
      outbox.dispose();
    },
  };
  return conversation;
}

function settingsOf({ knobs }: CollaborationState): string {
  return JSON.stringify(knobs);
}

/** Waves are shown where they begin and end, whichever way that happened. */
function showWave(before: CollaborationState, after: CollaborationState, show: Conversation["show"]): void {
  if (before.wave?.id === after.wave?.id && before.wave?.workUnit === after.wave?.workUnit) return;
  if (after.wave === null) return;
  show({ kind: "wave", wave: after.wave.id, phase: "opened", title: after.wave.title });
}
