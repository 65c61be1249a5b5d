import { type HostEvent, sessionOf } from "../host/port.ts";
import type { DelegationEngine } from "./engine.ts";

/** A repair of a contract is asked for after the work: it may take this many turns beyond the bound. */
const REPAIR_STEPS = 2;

/** What is counted of one session since its task began or its user spoke. */
interface Run {
  /** The task that it is counted for; undefined for a session in which the user speaks. */
  readonly taskId: string | undefined;
  requests: number;
  /** Those that the host made for itself: a title, a summary. */
  side: number;
  /** Turns that the plugin has begun. */
  turns: number;
  held: string | null;
  readonly repeats: ReturnType<typeof createRepeats>;
  /** By message, each of which tells of its end more than once. */
  readonly spent: Map<string, { readonly tokens: number; readonly cost: number }>;
}

/** Hears why a session is kept from going on: by a bound of its run, or a budget of the user's that is used up. */
type StopListener = (sessionId: string, why: string, by: "bound" | "budget") => void;

export interface BoundsInput {
  /** Whom of our agents a session's newest message went to; null for anyone else, whose requests are not ours to count. */
  speakerOf(sessionId: string): string | null;
  /** Turns of the model; undefined for an agent without a bound of its own. */
  stepsOf(agent: string): number | undefined;
  /** Null where only the turns are bounded. Tokens are input and output; what the provider had cached is not counted. */
  budgetOf(
    agent: string,
  ): { readonly maxRequests: number; readonly maxTokens: number; readonly maxCost: number } | null;
  /** Turns that the plugin may begin in a row. */
  readonly turnsInARow: number;
  /** A budget of the user's own that a session has used up; null while there is more. */
  spent(sessionId: string): { readonly why: string } | null;
}

/** Holds every loop of our agents to its bound (SPEC 2.6): counts the requests of each session, and denies what goes past. */
export type Bounds = ReturnType<typeof createBounds>;

export function createBounds({ tasks, cut }: Pick<DelegationEngine, "tasks" | "cut">, input: BoundsInput) {
  const runs = new Map<string, Run>();
  const listeners = new Set<StopListener>();

  const start = (sessionId: string, taskId: string | undefined): Run => {
    const counts = { requests: 0, side: 0, turns: 0, held: null, spent: new Map() };
    const run: Run = { ...counts, taskId, repeats: createRepeats() };
    runs.set(sessionId, run);
    return run;
  };
  /** Each task of a session is counted anew. */
  const runOf = (sessionId: string): Run => {
    const known = runs.get(sessionId);
    const taskId = tasks.openIn(sessionId)?.id ?? known?.taskId;
    return known !== undefined && known.taskId === taskId ? known : start(sessionId, taskId);
  };
  const agentOf = (sessionId: string): string | null =>
    tasks.openIn(sessionId)?.agent ?? input.speakerOf(sessionId);

  const tell = (sessionId: string, why: string, by: "bound" | "budget"): void => {
    const task = tasks.openIn(sessionId);
    if (task !== undefined) cut(task.id, why);
    for (const listener of listeners) listener(sessionId, why, by);
  };
  const hold = (sessionId: string, run: Run, why: string): void => {
    if (run.held !== null) return;
    run.held = why;
    tell(sessionId, why, "bound");
  };
  /** Why a run may send no further request; null when it may. */
  const whyHeld = (sessionId: string, run: Run, agent: string): string | null => {
    const isRepairing = tasks.openIn(sessionId)?.status === "repairing";
    const why = reachedBound(run, agent, isRepairing, input);
    if (why !== null) hold(sessionId, run, why);
    if (run.held !== null) return `${run.held}. Write here to go on`;
    // What may be spent is looked at each time, for a word of the user's lets it be more.
    const spent = input.spent(sessionId);
    if (spent !== null) tell(sessionId, spent.why, "budget");
    return spent?.why ?? null;
  };

  return {
    /** The user spoke in this session, or anywhere in its conversation: it is counted anew. */
    begin(sessionId: string): void {
      if (runs.has(sessionId)) start(sessionId, tasks.openIn(sessionId)?.id);
    },
    observe(event: HostEvent): void {
      const sessionId = sessionOf(event);
      if (sessionId === null) return;
      if (event.type === "session.deleted") runs.delete(sessionId);
      if (agentOf(sessionId) === null) return;
      if (event.type === "message.finished") {
        const { input: sent, output } = event.tokens;
        runOf(sessionId).spent.set(event.messageId, { tokens: sent + output, cost: event.cost });
      }
      if (event.type === "tool.activity") runOf(sessionId).repeats.add(event);
    },
    /** A request is about to go out, and counts. @returns why it must not; null when it may */
    request(sessionId: string, isSide: boolean): string | null {
      const agent = agentOf(sessionId);
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

/** The same call with the same result this often is a loop. */
const MAX_REPEATS = 5;

/** Why a run may take no further step, for anyone who reads it; null when it may. */
function reachedBound(
  run: Run,
  agent: string,
  isRepairing: boolean,
  { stepsOf, budgetOf }: Pick<BoundsInput, "stepsOf" | "budgetOf">,
): string | null {
  const [steps = Infinity, budget] = [stepsOf(agent), budgetOf(agent)];
  const more = isRepairing ? REPAIR_STEPS : 0;
  const all = [...run.spent.values()];
  const tokens = all.reduce((sum, each) => sum + each.tokens, 0);
  const cost = all.reduce((sum, each) => sum + each.cost, 0);
  const repeated = run.repeats.most();
  if (repeated !== null && repeated.times >= MAX_REPEATS)
    return `the same call of ${repeated.tool} gave the same result ${repeated.times} times over`;
  if (run.requests - run.side - more >= steps)
    return `${steps} model turns are the bound (agents.${agent}.steps)`;
  if (budget === null) return null;
  if (run.requests - more >= budget.maxRequests)
    return `${budget.maxRequests} requests are the bound (delegation.maxRequests)`;
  if (tokens >= budget.maxTokens)
    return `${tokens} tokens are used, ${budget.maxTokens} are the bound (delegation.maxTokens)`;
  if (cost >= budget.maxCost)
    return `${cost.toFixed(2)} dollars are spent, ${budget.maxCost} are the bound (delegation.maxCost)`;
  return null;
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
