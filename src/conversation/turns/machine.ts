import type { HostEvent, HostFailure, CallKey } from "../../host/port.ts";
import { renderDuration, counted } from "../../lib/figures.ts";
import type { Utterance } from "../part.ts";

/** GAIA's newest turn, and what the user has said of it. All times are in milliseconds of one clock. */
export type TurnState = Readonly<typeof NO_TURN>;

export const NO_TURN = {
  /** `unknown` before the first end of a turn is heard, and where one is to begin. */
  phase: "unknown" as "unknown" | "running" | "resting",
  /** A message of the plugin's that begins a turn is on its way: an end that is told again says nothing of it. */
  isComing: false,
  startedBy: "user" as "user" | "plugin" | "result",
  nudges: 0,
  /** Whether anything was said or done since the user spoke. */
  isHeard: false,
  /** Whether work was begun or organised in it; a turn without any was an answer, whatever is still open. */
  hasWorked: false,
  openTodos: 0,
  isAnswered: false,
  failure: "",
  /** What the user stopped or said no to: nothing is begun or asked before they speak. null for nothing. */
  no: null as string | null,
  /** It was a no to a request, whose words may follow and take its place. */
  mayExplain: false as boolean,
  openCalls: [] as readonly CallKey[],
  /** By when something has to be heard of the model. */
  heardDue: null as number | null,
  endDue: null as number | null,
  /** By when the turn begins that answers the user's message. */
  turnDue: null as number | null,
  /** How long GAIA's own provider makes it wait, until it is asked again. */
  wait: null as { readonly until: number; readonly why: string } | null,
};

export type TurnEvent =
  | { readonly type: "host"; readonly event: HostEvent }
  | { readonly type: "spoke"; readonly how: Utterance }
  /** A person said no; their words may follow. */
  | { readonly type: "refused"; readonly what: string }
  | { readonly type: "explained" }
  | { readonly type: "sent"; readonly by: "plugin" | "result" }
  | { readonly type: "not-sent" }
  /** OpenCode says whether the session is at work. @param silence as the step says it */
  | { readonly type: "looked"; readonly isBusy: boolean; readonly silence: number | null }
  | { readonly type: "due" };

export type TurnStep =
  /** Asks OpenCode whether the session is at work; `silence` where nothing was heard for too long. */
  | { readonly do: "look"; readonly silence: number | null }
  | { readonly do: "rest"; readonly isStopped: boolean }
  /** The turn is over, and OpenCode's word of it was lost. */
  | { readonly do: "missed-end" }
  | { readonly do: "stopped" }
  /** What still runs is left alone, and what comes of it waits for the user. */
  | { readonly do: "tell-running" }
  | { readonly do: "end"; readonly why: string }
  /** The provider's wait has begun or is over. */
  | { readonly do: "show-wait" }
  | { readonly do: "deliver" };

export interface TurnContext {
  readonly now: number;
  readonly stallMs: number;
  /** Whether the user speaks with GAIA, and not with another agent, whose turns are not ours to judge. */
  readonly isOurs: boolean;
  readonly isHeld: boolean;
}

/** The end of a turn follows its last word within this; then OpenCode is asked for it. */
const END_MS = 15_000;
/** From the user's message to the turn that answers it, at most. */
const TURN_MS = 10_000;

export function dueAt({ heardDue, endDue, turnDue }: TurnState): number | null {
  const due = [heardDue, endDue, turnDue].filter((at) => at !== null);
  return due.length === 0 ? null : Math.min(...due);
}

export function reduceTurn(
  turn: TurnState,
  event: TurnEvent,
  context: TurnContext,
): { readonly turn: TurnState; readonly steps: readonly TurnStep[] } {
  const { now } = context;
  switch (event.type) {
    case "host":
      return host(turn, event.event, context);
    case "spoke":
      return next(spoke(turn, event.how, now));
    case "refused":
      return next({ ...turn, no: `you said no (${event.what})`, mayExplain: true });
    case "explained":
      return next(turn.mayExplain ? { ...turn, no: null, mayExplain: false } : turn);
    case "sent": {
      const nudges = turn.nudges + Number(event.by === "plugin");
      return next({ ...turn, phase: "unknown", isComing: true, startedBy: event.by, nudges });
    }
    case "not-sent":
      return next({ ...turn, isComing: false });
    case "looked":
      return looked(turn, event, context);
    case "due":
      return due(turn, now);
  }
}

type Outcome = ReturnType<typeof reduceTurn>;

function next(turn: TurnState, ...steps: TurnStep[]): Outcome {
  return { turn, steps };
}

function spoke(turn: TurnState, how: Utterance, now: number): TurnState {
  const heard = { ...turn, no: null, mayExplain: false, isHeard: false };
  if (how !== "message" && how !== "command") return heard;
  const isDue = how === "message" && turn.phase === "resting";
  const begun = { startedBy: "user", nudges: 0, hasWorked: false, isAnswered: false } as const;
  return { ...heard, ...begun, ...(isDue ? { turnDue: now + TURN_MS } : {}) };
}

function due(turn: TurnState, now: number): Outcome {
  const isPast = (at: number | null): boolean => at !== null && at <= now;
  const steps: TurnStep[] = [];
  if (isPast(turn.turnDue)) steps.push({ do: "deliver" });
  const silence = isPast(turn.heardDue) ? now + END_MS : null;
  if (isPast(turn.endDue) || silence !== null) steps.push({ do: "look", silence });
  return next(
    {
      ...turn,
      turnDue: isPast(turn.turnDue) ? null : turn.turnDue,
      endDue: isPast(turn.endDue) ? null : turn.endDue,
      heardDue: silence ?? turn.heardDue,
    },
    ...steps,
  );
}

function looked(
  turn: TurnState,
  { isBusy, silence }: Extract<TurnEvent, { type: "looked" }>,
  { now, stallMs, isOurs }: TurnContext,
): Outcome {
  if (turn.phase !== "running") return next(turn);
  if (!isBusy) return next(turn, { do: "missed-end" });
  // Something may have been heard meanwhile.
  if (silence === null || turn.heardDue !== silence) return next(turn);
  // What a tool or a dialog takes is not counted.
  if (turn.openCalls.length > 0) return next({ ...turn, heardDue: now + stallMs });
  const unwatched = { ...turn, heardDue: null };
  if (!isOurs) return next(unwatched);
  return next(unwatched, { do: "end", why: `nothing was heard of its model for ${renderDuration(stallMs)}` });
}

const SAID = ["tool.activity", "text.activity", "text.finished"] as const;
const HEARD = new Set<HostEvent["type"]>([...SAID, "message.finished"]);
/** What shows that the provider no longer makes it wait. */
const GOES_ON = new Set<HostEvent["type"]>([...SAID, "message.started", "session.error"]);

function host(given: TurnState, event: HostEvent, context: TurnContext): Outcome {
  const { now, stallMs } = context;
  const steps: TurnStep[] = [];
  let turn = given;
  if (HEARD.has(event.type) && turn.heardDue !== null) turn = { ...turn, heardDue: now + stallMs };
  const isAskedAgain = event.type === "session.status" && event.status === "busy";
  if ((isAskedAgain || GOES_ON.has(event.type)) && turn.wait !== null) {
    turn = { ...turn, wait: null };
    steps.push({ do: "show-wait" });
  }
  switch (event.type) {
    case "session.status":
      return event.status === "busy" ? begins(turn, context, steps) : ends(turn, steps);
    case "session.error":
      return fails(turn, event.failure, context, steps);
    case "session.retry": {
      // A wait that the provider itself has announced is no silence.
      const heardDue = turn.heardDue === null ? null : turn.heardDue + Math.max(0, event.nextAt - now);
      const wait = { until: event.nextAt, why: event.message };
      return next({ ...turn, heardDue, wait }, ...steps, { do: "show-wait" });
    }
    case "message.started":
      return next({ ...turn, endDue: null }, ...steps);
    case "message.finished": {
      const isEnd = event.isAnswer && turn.phase === "running";
      const endDue = isEnd ? now + END_MS : turn.endDue;
      // It went on after all; what ended with the error tells so itself.
      const failure = event.isFailed === true ? turn.failure : "";
      return next({ ...turn, endDue, failure, isAnswered: event.isAnswer }, ...steps);
    }
    case "text.finished":
      return next({ ...turn, isHeard: turn.isHeard || event.text.trim() !== "" }, ...steps);
    case "tool.activity": {
      const others = turn.openCalls.filter((call) => call !== event.callId);
      const openCalls = event.status === "running" ? [...others, event.callId] : others;
      const hasWorked = turn.hasWorked || event.tool === "delegate_gaia" || event.kind === "todos";
      return next({ ...turn, openCalls, hasWorked, isHeard: true }, ...steps);
    }
    case "question.answered":
      return next(
        event.isRejected === true ? { ...turn, no: turn.no ?? "you closed the question" } : turn,
        ...steps,
      );
    case "todos.updated":
      return next({ ...turn, openTodos: event.open }, ...steps);
    default:
      return next(turn, ...steps);
  }
}

function begins(turn: TurnState, { now, stallMs }: TurnContext, steps: TurnStep[]): Outcome {
  const heardDue = turn.heardDue ?? now + stallMs;
  const begun = { heardDue, endDue: null, turnDue: null, isComing: false };
  return next({ ...turn, ...begun, phase: "running" }, ...steps);
}

function ends(turn: TurnState, steps: TurnStep[]): Outcome {
  if (turn.wait !== null) steps.push({ do: "show-wait" });
  // Stopped while its provider is busy, a turn ends without any error.
  const isStopped = turn.wait !== null && turn.no === null;
  if (isStopped) steps.push({ do: "tell-running" });
  const no = isStopped ? STOPPED : turn.no;
  const none = { openCalls: [], heardDue: null, endDue: null, wait: null };
  return next({ ...turn, ...none, phase: "resting", no }, ...steps, {
    do: "rest",
    isStopped: no === STOPPED,
  });
}

const STOPPED = "you stopped it";
const HELD = "it reached a bound";

function fails(
  turn: TurnState,
  failure: Pick<HostFailure, "reason" | "message">,
  { isHeld }: TurnContext,
  steps: TurnStep[],
): Outcome {
  // Behind the turn's end OpenCode goes away, and what it is still asked fails.
  const said = turn.phase === "resting" ? turn.failure : failure.message || failure.reason;
  const failed = { ...turn, failure: said, turnDue: null };
  if (failure.reason !== "aborted") return next(failed, ...steps);
  // What the plugin itself has stopped was no word of the user's.
  if (isHeld) return next({ ...failed, no: failed.no ?? HELD }, ...steps, { do: "tell-running" });
  return next(
    { ...failed, no: STOPPED, mayExplain: false },
    ...steps,
    { do: "stopped" },
    { do: "tell-running" },
  );
}

export interface TurnFacts {
  /** Whether GAIA is sent on at all (`guards.continuation`, mode, interaction). */
  readonly goesOn: boolean;
  readonly openTasks: number;
  /** A check-in or an approval waits for the user. */
  readonly waitsForUser: boolean;
  readonly isBlocked: boolean;
  /** Delegations and runs at work: their results begin the next turn. */
  readonly running: number;
}

export interface Next {
  readonly kind: "go on" | "wait" | "ask" | "end";
  readonly why: string;
}

/** Per message of the user; who ignores two will ignore the third. */
const MAX_NUDGES = 2;

/** Why GAIA is not sent on, the first that holds: whatever could make a loop or talk over the user stands before what is open. */
const GATES: readonly (Next & { holds(turn: TurnState, facts: TurnFacts): boolean })[] = [
  { kind: "end", why: "the user said no or stopped it", holds: ({ no }) => no !== null },
  { kind: "end", why: "it did not end with an answer", holds: ({ isAnswered }) => !isAnswered },
  { kind: "end", why: "GAIA is not sent on here", holds: (_, { goesOn }) => !goesOn },
  {
    kind: "end",
    why: "nothing is open",
    holds: ({ openTodos }, { openTasks }) => openTodos + openTasks <= 0,
  },
  { kind: "end", why: "it was no work", holds: ({ hasWorked }) => !hasWorked },
  { kind: "ask", why: "the work is blocked", holds: (_, { isBlocked }) => isBlocked },
  { kind: "ask", why: "the user is asked", holds: (_, { waitsForUser }) => waitsForUser },
  { kind: "wait", why: "specialists are at work", holds: (_, { running }) => running > 0 },
  { kind: "end", why: "it was sent on for this turn", holds: ({ startedBy }) => startedBy === "plugin" },
  { kind: "end", why: "it was sent on often enough", holds: ({ nudges }) => nudges >= MAX_NUDGES },
];

/** Decides what comes after a turn (SPEC 8). A question is a call of the question tool: prose is not read for one. Pure. */
export function decideNext(turn: TurnState, facts: TurnFacts): Next {
  const gate = GATES.find(({ holds }) => holds(turn, facts));
  if (gate !== undefined) return { kind: gate.kind, why: gate.why };
  const { openTodos } = turn;
  const open = [
    ...(openTodos > 0 ? [counted(openTodos, "todo")] : []),
    ...(facts.openTasks > 0 ? [counted(facts.openTasks, "plan task")] : []),
  ];
  return {
    kind: "go on",
    why: `Still open: ${open.join(" and ")}. Go on, ask with question, or say why you stop.`,
  };
}
