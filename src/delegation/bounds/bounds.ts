import { type HostEvent, sessionOf } from "../../host/port.ts";
import { isEnded, type Task } from "../task.ts";
import type { DelegationEngine } from "../engine.ts";

/** A repair of a contract is asked for after the work: it may take this many turns beyond the bound. */
const REPAIR_STEPS = 2;

/** What is counted of one session since its task began or its user spoke. */
interface Run {
  task: Task | null;
  requests: number;
  /** Those that the host made for itself: a title, a summary. */
  side: number;
  /** Turns that the plugin has begun. */
  turns: number;
  held: string | null;
  readonly repeats: ReturnType<typeof createRepeats>;
  readonly spent: Map<string, { readonly tokens: number; readonly cost: number }>;
}

/** Hears why a session is kept from going on: by a bound of its run, or a budget of the user's that is used up. */
type StopListener = (sessionId: string, why: string, by: "bound" | "budget") => void;

export interface BoundsInput {
  /** Which of our agents is at work in a session; null for none, whose requests are not ours to count. */
  agentOf(sessionId: string): string | null;
  limitsOf(agent: string): RunLimits;
  /** Turns that the plugin may begin in a row. */
  readonly turnsInARow: number;
  cut(taskId: string, why: string): void;
  /** A budget of the user's own that a session has used up; null while there is more. */
  spent(sessionId: string): { readonly why: string } | null;
}

/** Holds every loop of our agents to its bound (SPEC 2.6): counts the requests of each session, and denies what goes past. */
export type Bounds = ReturnType<typeof createBounds>;

export function createBounds(input: BoundsInput) {
  const runs = new Map<string, Run>();
  const listeners = new Set<StopListener>();

  const start = (sessionId: string, task: Task | null): Run => {
    const counts = { requests: 0, side: 0, turns: 0, held: null, spent: new Map() };
    const run: Run = { ...counts, task, repeats: createRepeats() };
    runs.set(sessionId, run);
    return run;
  };
  const runOf = (sessionId: string): Run => runs.get(sessionId) ?? start(sessionId, null);

  const tell = (sessionId: string, { task }: Run, why: string, by: "bound" | "budget"): void => {
    if (task !== null && !isEnded(task)) input.cut(task.id, why);
    for (const listener of listeners) listener(sessionId, why, by);
  };
  const hold = (sessionId: string, run: Run, why: string): void => {
    if (run.held !== null) return;
    run.held = why;
    tell(sessionId, run, why, "bound");
  };
  /** Why a run may send no further request; null when it may. */
  const whyHeld = (sessionId: string, run: Run, agent: string): string | null => {
    const more = run.task?.status === "repairing" ? REPAIR_STEPS : 0;
    const why = reachedBound(
      {
        steps: run.requests - run.side - more,
        requests: run.requests - more,
        ...spentBy(run),
        repeated: run.repeats.most(),
      },
      input.limitsOf(agent),
    );
    if (why !== null) hold(sessionId, run, why);
    if (run.held !== null) return `${run.held}. Write here to go on`;
    // What may be spent is looked at each time, for a word of the user's lets it be more.
    const spent = input.spent(sessionId);
    if (spent !== null) tell(sessionId, run, spent.why, "budget");
    return spent?.why ?? null;
  };

  return {
    /** The user spoke in this session, or anywhere in its conversation: it is counted anew. */
    begin(sessionId: string): void {
      const run = runs.get(sessionId);
      if (run !== undefined) start(sessionId, run.task !== null && isEnded(run.task) ? null : run.task);
    },
    taskChanged(task: Task): void {
      const run = runs.get(task.sessionId);
      if (run?.task?.id === task.id) run.task = task;
      else if (!isEnded(task)) start(task.sessionId, task);
    },
    observe(event: HostEvent): void {
      const sessionId = sessionOf(event);
      if (sessionId === null) return;
      if (event.type === "session.deleted") runs.delete(sessionId);
      if (input.agentOf(sessionId) === null) return;
      if (event.type === "message.finished") {
        const { input: sent, output } = event.tokens;
        runOf(sessionId).spent.set(event.messageId, { tokens: sent + output, cost: event.cost });
      }
      if (event.type === "tool.activity") runOf(sessionId).repeats.add(event);
    },
    /** A request is about to go out, and counts. @returns why it must not; null when it may */
    request(sessionId: string, isSide: boolean): string | null {
      const agent = input.agentOf(sessionId);
      if (agent === null) return null;
      const run = runOf(sessionId);
      const why = isSide ? null : whyHeld(sessionId, run, agent);
      if (why !== null) return why;
      run.requests += 1;
      if (isSide) run.side += 1;
      return null;
    },
    stop(sessionId: string, why: string): void {
      hold(sessionId, runOf(sessionId), why);
    },
    /** Why a session waits for its user's word; null when it does not. */
    heldBy: (sessionId: string): string | null => runs.get(sessionId)?.held ?? null,
    /** Turns that the plugin has begun since the user's last word. */
    turnsOf: (sessionId: string): number => runs.get(sessionId)?.turns ?? 0,
    /** The plugin is about to begin a turn, which counts. @returns whether it may */
    beginTurn(sessionId: string): boolean {
      const run = runOf(sessionId);
      if (run.turns >= input.turnsInARow)
        hold(
          sessionId,
          run,
          `${run.turns} turns in a row began without a word of yours (autopilotSafeguards.maxTurnsInARow)`,
        );
      if (run.held !== null) return false;
      run.turns += 1;
      return true;
    },
    /** Calls back when a session is kept from going on; returns the way to stop that. */
    subscribe(listener: StopListener): () => void {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** Where the user speaks with a specialist there is no task, and what follows from one word of theirs is counted. */
function spentBy({ task, spent }: Run): { readonly tokens: number; readonly cost: number } {
  if (task !== null) return { tokens: task.tokens.input + task.tokens.output, cost: task.cost };
  const all = [...spent.values()];
  return {
    tokens: all.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: all.reduce((sum, { cost }) => sum + cost, 0),
  };
}

/** The same call with the same result this often is a loop. */
const MAX_REPEATS = 5;

export interface RunLimits {
  /** Turns of the model, and the setting that says so. */
  readonly steps: number;
  readonly stepsKey: string;
  readonly requests: number;
  /** Input and output; what the provider had cached is not counted. */
  readonly tokens: number;
  readonly cost: number;
}

/**
 * The limits of an agent's runs.
 * @param steps undefined for an agent without a bound of its own
 * @param budget of a task; null where only the turns are bounded
 */
export function runLimits(
  agent: string,
  steps: number | undefined,
  budget: { readonly maxRequests: number; readonly maxTokens: number; readonly maxCost: number } | null,
): RunLimits {
  return {
    steps: steps ?? Infinity,
    stepsKey: `agents.${agent}.steps`,
    requests: budget?.maxRequests ?? Infinity,
    tokens: budget?.maxTokens ?? Infinity,
    cost: budget?.maxCost ?? Infinity,
  };
}

interface RunUse extends Omit<RunLimits, "stepsKey"> {
  readonly repeated: ReturnType<ReturnType<typeof createRepeats>["most"]>;
}

/** Why a run may take no further step, for anyone who reads it; null when it may. Pure. */
function reachedBound({ repeated, ...use }: RunUse, limits: RunLimits): string | null {
  const { steps, stepsKey, requests, tokens, cost } = limits;
  const bounds: readonly (readonly [isReached: boolean, why: string])[] = [
    [
      repeated !== null && repeated.times >= MAX_REPEATS,
      `the same call of ${repeated?.tool} gave the same result ${repeated?.times} times over`,
    ],
    [use.steps >= steps, `${steps} model turns are the bound (${stepsKey})`],
    [use.requests >= requests, `${requests} requests are the bound (delegation.maxRequests)`],
    [use.tokens >= tokens, `${use.tokens} tokens are used, ${tokens} are the bound (delegation.maxTokens)`],
    [
      use.cost >= cost,
      `${use.cost.toFixed(2)} dollars are spent, ${cost} are the bound (delegation.maxCost)`,
    ],
  ];
  return bounds.find(([isReached]) => isReached)?.[1] ?? null;
}

/**
 * Counts how often the same call gave the same result while nothing new happened. What is new begins the count again: a
 * test that is run after each edit is no loop, a round of three reads is one. Calls of one message count once, since the
 * model had seen the result of none of them.
 */
function createRepeats() {
  const calls = new Set<string>();
  const seen = new Set<string>();
  const again = new Map<string, { tool: string; times: number; messageId: string }>();
  return {
    /** An event of the host's, which may come twice; what has ended has a trace. */
    add({ messageId, callId, tool, trace }: Extract<HostEvent, { type: "tool.activity" }>): void {
      if (trace === undefined || calls.has(callId)) return;
      calls.add(callId);
      if (!seen.has(trace)) again.clear();
      seen.add(trace);
      const known = again.get(trace);
      if (known?.messageId === messageId) return;
      again.set(trace, { tool, times: (known?.times ?? 0) + 1, messageId });
    },
    most: () => [...again.values()].toSorted((a, b) => b.times - a.times)[0] ?? null,
  };
}

interface BoundTasksInput extends Pick<BoundsInput, "limitsOf" | "turnsInARow" | "spent"> {
  /** Whom of our agents a session's newest message went to; null for anyone else. */
  speakerOf(sessionId: string): string | null;
}

export function boundTasks(engine: DelegationEngine, { speakerOf, ...rest }: BoundTasksInput): Bounds {
  const bounds = createBounds({
    ...rest,
    agentOf: (sessionId) => engine.tasks.openIn(sessionId)?.agent ?? speakerOf(sessionId),
    cut: engine.cut,
  });
  engine.tasks.subscribe(bounds.taskChanged);
  return bounds;
}
