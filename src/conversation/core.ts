import {
  type CollaborationEffect,
  type CollaborationState,
  restoreState,
  sealState,
} from "./collaboration/state.ts";
import { type Activity, renderActivity } from "./collaboration/activity.ts";
import { type CheckinPacket, renderPacketForModel } from "./collaboration/checkin-packet.ts";
import { MODES, renderCollaborationTag } from "./collaboration/knobs.ts";
import type { ConversationEvent } from "./collaboration/events.ts";
import { reduceCollaboration } from "./collaboration/reducer.ts";
import { ROOT_MARK } from "../delegation/gaia-sessions.ts";
import { limitedUntil, type Task } from "../delegation/task.ts";
import type { HostSession, Speaker } from "../host/port.ts";
import { takingTurns } from "../lib/async.ts";
import { describeError } from "../lib/error.ts";
import { recordOf } from "../lib/json.ts";
import { newestWithin } from "../lib/schema.ts";
import { excerpt } from "../lib/text.ts";
import { clockTime } from "../lib/figures.ts";
import { PANEL_KEY, PARTS_KEY, REQUEST_KEY, SNAPSHOT_KEY } from "./display/metadata-keys.ts";
import { createMirror } from "./display/mirror.ts";
import { createOutbox } from "./display/outbox.ts";
import { NO_FACTS, snapshotPanel, type PanelFacts } from "./display/panel-snapshot.ts";
import { createKept, type EachPart, type NamedParts, type Utterance } from "./part.ts";
import { createDecisionLog } from "./record/decision-log.ts";
import type { ConversationServices } from "./services.ts";

/** How often the budgets are looked at while someone works, in milliseconds. */
const TICK_MS = 5_000;
/** So many looks, an hour, in which nothing happened: anyone at work reports it, and the end of the turn went unheard. */
const MAX_TICKS = 720;
/** How long the reason may be behind its rejection, in milliseconds. */
const REASON_DELAY_MS = 400;
/** More of what is left for the user nobody reads one by one. */
const MAX_LEFT = 20;
const MAX_LEFT_LINE = 160;
/** Of what the model is to be told next, what outlives a restart, in characters of JSON. */
const MAX_UNTOLD = 7_000;

/** What every feature of a conversation works with: its state, and everything that follows from it outside. */
export type ConversationCore = ReturnType<typeof createCore>;

export interface CoreInput {
  readonly isGuest?: boolean;
  /** What its parts kept over a restart, and the settings that it begins with. */
  readonly kept?: unknown;
  readonly saved?: unknown;
  readonly list: NamedParts;
  /** The text is made when it is written; never rejects. */
  renderCheckin(packet: CheckinPacket): () => Promise<string>;
}

/** By these a person says how to go on. */
const SPOKEN: Partial<Record<ConversationEvent["type"], Utterance>> = {
  "user-message": "go-on",
  next: "go-on",
  "question-answered": "answer",
};

export function createCore(start: CollaborationState, services: ConversationServices, input: CoreInput) {
  const { host, clock, defaults, engine, sessions, orchestrator } = services;
  const { list } = input;
  const { rootSession: rootId } = start;
  const speaker = (): Speaker | undefined => sessions.speaker(rootId);
  const voice = (): Speaker => speaker() ?? { agent: orchestrator, model: null };
  const outbox = createOutbox(
    host,
    clock,
    rootId,
    voice,
    () => core.busy || core.isTakenBack,
    services.redact,
  );
  const tasks = (): readonly Task[] => engine.tasks.ofParent(rootId);
  let state = start;
  let left: string[] = [];
  let isUnasked = false;
  let isAttended: boolean | null = null;
  let told = "";
  let status: PanelFacts["status"] = null;
  let cancelTick: (() => void) | null = null;
  let ticks = 0;
  let cancelPrefill: () => void = () => undefined;

  const snapshots = (): Record<string, unknown> | null =>
    state.ended || input.isGuest === true
      ? null
      : {
          ...ROOT_MARK,
          [SNAPSHOT_KEY]: sealState(state, services.seal),
          [PANEL_KEY]: panel(clock.now()),
          [PARTS_KEY]: kept.sealed(),
          [REQUEST_KEY]: undefined,
        };
  const panel = (now: number): object => {
    let facts = { ...NO_FACTS, limits: renderLimits(tasks(), now), status };
    each((part) => (facts = { ...facts, ...part.shown?.() }));
    return snapshotPanel(state, defaults, tasks(), facts, now);
  };
  const each: EachPart = (call) => {
    for (const [name, part] of list) {
      try {
        call(part);
      } catch (error) {
        host.logger.log("error", name, describeError(error));
      }
    }
  };
  const sealOf = (saved: unknown): unknown => recordOf(saved)["seal"];
  /** What was read last, and what was written since: nobody knows when a write comes through. */
  let known = [sealOf(input.saved)];
  const look = takingTurns(async () => host.sessions.get(rootId).catch(() => null));
  const heed = (session: HostSession | null): void => {
    if (session === null) return;
    const saved = session.metadata[SNAPSHOT_KEY];
    const at = known.indexOf(sealOf(saved));
    known = at < 0 ? [sealOf(saved)] : known.slice(at);
    if (at >= 0) return;
    const { mode } = restoreState(saved, rootId, defaults, clock.now(), services.seal)?.knobs ?? state.knobs;
    if (MODES.indexOf(mode) < MODES.indexOf(state.knobs.mode))
      core.dispatch({ type: "command", change: { knob: "mode", value: mode } });
  };
  /** Of two OpenCodes in one session, each keeps to the stricter mode that the user has set in the other. Never rejects. */
  const heedOthers = async (): Promise<void> => look(heed);
  const mirror = createMirror(host, clock, rootId, snapshots, heedOthers, (values) => {
    known = [...known, sealOf(values[SNAPSHOT_KEY])];
  });
  const kept = createKept(input.kept, rootId, host.logger, services.seal, mirror.touch);
  /** What the model is to be told next, after a restart as well. */
  const untold = kept.remember<readonly string[]>("told", [], (lines) =>
    newestWithin(lines.map(services.redact), MAX_UNTOLD),
  );
  const decisions = createDecisionLog(services, kept.remember, () => state.workUnit);

  const watchTime = (): void => {
    if (cancelTick !== null || state.idle || state.ended || ticks >= MAX_TICKS) return;
    cancelTick = clock.after(TICK_MS, () => {
      cancelTick = null;
      ticks += 1;
      core.dispatch({ type: "tick" });
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
        each((part) => part.decided?.(effect.row));
        return;
      case "log":
        void decisions.log(effect.workUnit, effect.title, effect.markdown);
        return;
      case "checkin":
        outbox.note(input.renderCheckin(effect.packet));
        core.tell(renderPacketForModel(effect.packet, host.client === "terminal"));
        return;
      case "prefill":
        // Where the user gave a reason with the rejection, it comes a moment later and needs no second one.
        cancelPrefill = clock.after(REASON_DELAY_MS, () => {
          if (state.rejection !== null) void host.prefill(effect.text);
        });
        return;
      case "steer":
        if (effect.isQuestion !== true || host.client !== "editor") core.tell(effect.text);
    }
  };

  const core = {
    rootId,
    each,
    speaker,
    tasks,
    /** Whether anyone can answer questions there; null where OpenCode does not tell. */
    async canAsk(): Promise<boolean | null> {
      // A session's own permissions are as it was made.
      isAttended ??= (await host.sessions.get(rootId).catch(() => null))?.canAsk ?? (host.oneShot && false);
      return isAttended;
    },
    /** Whether GAIA can raise a question that someone answers. */
    canQuestion: async (): Promise<boolean> => host.client !== "editor" && (await core.canAsk()) === true,
    outbox,
    decisions,
    /** Whether a model turn runs in the root session, or is about to. */
    busy: false as boolean,
    /** Whether the user has taken messages back and can still have them back: whatever is written meanwhile would make that final. */
    isTakenBack: false as boolean,
    get state(): CollaborationState {
      return state;
    },
    /** Takes in an event; one by which the user says how to go on is told to the features as well. */
    dispatch(event: ConversationEvent): void {
      const before = state.workUnit;
      const outcome = reduceCollaboration(state, { ...event, at: Math.max(clock.now(), state.at) }, defaults);
      state = outcome.state;
      if (state.workUnit !== before) decisions.write();
      for (const effect of outcome.effects) apply(effect);
      mirror.touch();
      if (event.type !== "tick") ticks = 0;
      watchTime();
      each((part) => part.heard?.(event));
      const how = SPOKEN[event.type];
      if (how !== undefined) core.userSpoke(how);
    },
    userSpoke(how: Utterance): void {
      if (how === "message") [left, isUnasked] = [[], false];
      // What `/gaia-status` told stays no longer in the session's metadata than anyone looks at it.
      core.answerStatus(null);
      each((part) => part.userSpoke?.(how));
    },
    show(activity: Activity): void {
      const shown = renderActivity(activity, state.knobs.visibility);
      if (shown !== null) outbox.activity(shown);
    },
    /** What the panel asked to be told; null once that is over. */
    answerStatus(answer: PanelFacts["status"]): void {
      status = answer;
      mirror.touch();
    },
    heedOthers,
    remember: kept.remember,
    /** What the panel shows has changed. */
    touch: mirror.touch,
    /** Resolves when what must outlive a crash is mirrored: before anyone hears that it was done. Never rejects. */
    mirrored: mirror.settled,
    /** The session's metadata were written by someone else: ours are written again, and the panel's request goes. */
    renew: mirror.renew,
    /** What the model has to be told next, each line once, and the collaboration line when the knobs have turned since. */
    takeLines(): string[] {
      const taken = [...untold.now];
      untold.now = [];
      each((part) => part.linesTaken?.());
      return settingsOf(state) === told || told === "" ? taken : [...taken, core.tag()];
    },
    /** What was not done, until the user has spoken. */
    get left(): readonly string[] {
      return left;
    },
    /** Whether something of it was not done because nobody was there to be asked for it (SPEC 9). */
    isUnasked: (): boolean => isUnasked,
    /** The unit's log keeps it. @param what what would have been done, in words for a person @param isUnheard for want of somebody to ask, of which GAIA hears with what it gets next */
    leave(what: string, isUnheard = true): void {
      const line = excerpt(what, MAX_LEFT_LINE);
      if (left.includes(line) || left.length >= MAX_LEFT) return;
      left = [...left, line];
      isUnasked ||= isUnheard;
      if (isUnheard)
        core.tell(
          `Not done, for nobody was there to be asked: ${line}. End your answer with "Left for you" and this in the list.`,
        );
      void core.log("Left for you", `- ${line}`);
    },
    /** Tells the model something with what it gets next. */
    tell(line: string): void {
      untold.now = [...untold.now, line];
    },
    /** An entry for a unit's log, by default that of the unit which this conversation is about; `unless`: see `appendLogEntry`. */
    async log(title: string, markdown: string, unit: string | null = state.workUnit, unless?: string) {
      await decisions.log(unit, title, markdown, unless);
    },
    /** The line that ends a message, noted as told. */
    tag(): string {
      told = settingsOf(state);
      return renderCollaborationTag(state);
    },
    close(): void {
      cancelTick?.();
      cancelPrefill();
      mirror.dispose();
      outbox.dispose();
    },
  };
  return core;
}

function settingsOf({ knobs }: CollaborationState): string {
  return JSON.stringify(knobs);
}

/** The specialists that failed at a provider which answers again later, and that have not answered since. Pure. */
export function renderLimits(tasks: readonly Task[], now: number): string | null {
  const limits = new Map<string, number>();
  for (const { agent, attempts, outcome } of tasks.toSorted((a, b) => (a.endedAt ?? 0) - (b.endedAt ?? 0))) {
    const until = outcome?.status === "failed" ? limitedUntil(attempts) : null;
    if (until !== null && until > now) limits.set(agent, until);
    if (outcome?.status === "completed" || outcome?.status === "partial") limits.delete(agent);
  }
  const lines = [...limits].map(([agent, until]) => `↻ ${agent} limited until ${clockTime(until)}`);
  return lines.length === 0 ? null : lines.join(", ");
}
