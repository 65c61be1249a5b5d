import { type HostEvent, type Host, sessionOf } from "../../host/port.ts";
import { isEnded, type Task } from "../task.ts";
import { createRunCount, type RunCount, type Repeated } from "./run-count.ts";
import { describeError } from "../../lib/error.ts";
import type { DelegationEngine } from "../engine.ts";

/** A repair of a contract is asked for after the work: it may take this many turns beyond the bound. */
const REPAIR_STEPS = 2;

/** What is counted of one session since its task began or its user spoke. */
interface Run {
  readonly count: RunCount;
  task: Task | null;
  turns: number;
  held: string | null;
  refused: number;
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
  /** Ends the loop of a session that went on although its requests are held. */
  abort(sessionId: string): void;
}

/** Holds every loop of our agents to its bound (SPEC 2.5): counts what each session sends, and stops what goes past. */
export type Bounds = ReturnType<typeof createBounds>;

export function createBounds(input: BoundsInput) {
  const runs = new Map<string, Run>();
  const listeners = new Set<StopListener>();

  const start = (sessionId: string, task: Task | null): Run => {
    const count = createRunCount(runs.get(sessionId)?.count.messages);
    const run: Run = { count, task, turns: 0, refused: 0, held: null };
    runs.set(sessionId, run);
    return run;
  };
  const runOf = (sessionId: string): Run => runs.get(sessionId) ?? start(sessionId, null);

  const hold = (sessionId: string, run: Run, why: string): void => {
    if (run.held !== null) return;
    run.held = why;
    if (run.task !== null && !isEnded(run.task)) input.cut(run.task.id, why);
    for (const listener of listeners) listener(sessionId, why, "bound");
  };
  /** @param steps turns before the one that is asked about */
  const look = (sessionId: string, run: Run, agent: string, steps: number): void => {
    const { count, task } = run;
    const limits = input.limitsOf(agent);
    const more = task?.status === "repairing" ? REPAIR_STEPS : 0;
    // Where the user speaks with a specialist themselves there is no task, and what follows from one word of theirs is counted.
    const spent =
      task === null
        ? count.spent()
        : { tokens: (task.tokens?.input ?? 0) + (task.tokens?.output ?? 0), cost: task.cost ?? 0 };
    const use = {
      steps: steps - more,
      requests: count.requests() - more,
      ...spent,
      repeated: count.repeated(),
      barren: task === null ? count.barren() : count.broken(),
    };
    const why = reachedBound(use, limits);
    if (why !== null) hold(sessionId, run, why);
  };

  /** What may be spent is looked at each time, for a word of the user's lets it be more. */
  const holdSpent = (sessionId: string, { task }: Run): string | null => {
    const spent = input.spent(sessionId);
    if (spent === null) return null;
    if (task !== null && !isEnded(task)) input.cut(task.id, spent.why);
    for (const listener of listeners) listener(sessionId, spent.why, "budget");
    return spent.why;
  };

  return {
    /** The user spoke in this session, or anywhere in its conversation: it is counted anew. */
    begin(sessionId: string): void {
      const run = runs.get(sessionId);
      if (run === undefined) return;
      // Two ways of hearing the same word are one beginning.
      if (run.count.isUntouched() && run.turns === 0) run.held = null;
      else start(sessionId, run.task !== null && isEnded(run.task) ? null : run.task);
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
      if (event.type !== "session.retry" && !("messageId" in event)) return;
      const agent = input.agentOf(sessionId);
      if (agent === null) return;
      const run = runOf(sessionId);
      const begun = run.count.begun();
      run.count.observe(event);
      const isNew = run.count.begun() > begun;
      if (isNew) look(sessionId, run, agent, begun);
      // A message begins before its request is held; one more says that this host holds none.
      const known = run.count.announced() + run.refused + 1;
      const isHeld = run.held !== null || input.spent(sessionId) !== null;
      if (isNew && isHeld && run.count.begun() > known) input.abort(sessionId);
    },
    /** A request is about to go out, and counts. @returns why it must not; null when it may */
    request(sessionId: string, isSide: boolean): string | null {
      const agent = input.agentOf(sessionId);
      if (agent === null) return null;
      const run = runOf(sessionId);
      if (!isSide) look(sessionId, run, agent, run.count.announced());
      const why = isSide
        ? null
        : run.held === null
          ? holdSpent(sessionId, run)
          : `${run.held}. Write here to go on`;
      if (why !== null) {
        run.refused += 1;
        return why;
      }
      run.count.requested(isSide);
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

/**
 * Turns in a row of which nothing may come: the host asks again where an answer breaks off, and compacts again where the context
 * is too large for the model.
 */
const MAX_BARREN = 4;

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
  readonly repeated: Repeated | null;
  readonly barren: number;
}

/** Why a run may take no further step, for anyone who reads it; null when it may. Pure. */
function reachedBound({ repeated, ...use }: RunUse, limits: RunLimits): string | null {
  const { steps, stepsKey, requests, tokens, cost } = limits;
  const bounds: readonly (readonly [isReached: boolean, why: string])[] = [
    [
      repeated !== null && repeated.times >= MAX_REPEATS,
      `the same call of ${repeated?.tool} gave the same result ${repeated?.times} times over`,
    ],
    [
      use.barren >= MAX_BARREN,
      `nothing came of ${use.barren} model turns in a row: answers broke off, or the context is too large for the model`,
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

interface BoundTasksInput extends Pick<BoundsInput, "limitsOf" | "turnsInARow" | "spent"> {
  /** Whom of our agents a session's newest message went to; null for anyone else. */
  speakerOf(sessionId: string): string | null;
}

export function boundTasks(
  engine: DelegationEngine,
  host: Pick<Host, "sessions" | "logger">,
  { speakerOf, ...rest }: BoundTasksInput,
): Bounds {
  const bounds = createBounds({
    ...rest,
    agentOf: (sessionId) => engine.tasks.openIn(sessionId)?.agent ?? speakerOf(sessionId),
    cut: engine.cut,
    abort(sessionId) {
      host.sessions.abort(sessionId).catch((error: unknown) => {
        host.logger.log("warn", "bounds", describeError(error), { sessionId });
      });
    },
  });
  engine.tasks.subscribe(bounds.taskChanged);
  return bounds;
}
