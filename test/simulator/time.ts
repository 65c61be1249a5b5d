import { performance } from "node:perf_hooks";

/** Requests of the system that are on their way; while one is, the virtual clock stands still. */
const WORK = new Set(["FSReqPromise", "FSReqCallback", "CloseReq", "ProcessWrap", "Timeout"]);
/** How many rounds of the event loop in a row may be about what waits for the next round only: some wait until time goes on. */
const MAX_ROUNDS = 3;
/** Pipes of this process itself. */
const OWN_PIPES = 2;
/** A day long ago, so that no file of the simulation looks old to it. */
const START = Date.UTC(2025, 0, 1);

interface Timer {
  readonly id: number;
  readonly at: number;
  readonly run: () => void;
  readonly owner: Owner;
}

/** Whose timer it is: what the plugin and OpenCode wait for dies with their process, the user goes on. */
export type Owner = "plugin" | "host" | "user";

/** Time that only goes on when nothing is left to do in this moment. */
export type VirtualTime = ReturnType<typeof installVirtualTime>;

/**
 * Takes the place of this process's timers and clocks, for good: only for a process that does nothing else. The plugin's
 * clocks read them at each call.
 */
export function installVirtualTime() {
  const nextRound = globalThis.setImmediate;
  let now = START;
  let ids = 0;
  let timers = new Map<number, Timer>();

  const set = (ms: number, run: () => void, owner: Owner): number => {
    ids += 1;
    const at = now + Math.max(1, Math.ceil(Number.isFinite(ms) ? ms : 1));
    timers.set(ids, { id: ids, at, run, owner });
    return ids;
  };
  const handleOf = (id: number): object => ({
    id,
    unref: () => handleOf(id),
    ref: () => handleOf(id),
    [Symbol.toPrimitive]: () => id,
  });
  const clear = (handle?: { id?: number }): void => void timers.delete(handle?.id ?? 0);
  const repeat = (run: () => void, ms: number): object => {
    // Only what keeps a process alive is set this way; it never has to run.
    return handleOf(set(ms * 1_000_000, run, "plugin"));
  };
  Object.assign(globalThis, {
    setTimeout: (run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) =>
      handleOf(set(ms, () => run(...given), "plugin")),
    clearTimeout: clear,
    setInterval: repeat,
    clearInterval: clear,
    Date: class extends Date {
      constructor(...given: []) {
        super(...(given.length === 0 ? ([now] as unknown as []) : given));
      }
      static override now(): number {
        return now;
      }
    },
  });
  const { timeOrigin } = performance;
  Object.defineProperty(performance, "now", { value: () => now - timeOrigin });

  const whatIsLeft = (): "work" | "a round" | "nothing" => {
    const kinds = process.getActiveResourcesInfo();
    const pipes = kinds.filter((kind) => kind === "PipeWrap").length;
    if (pipes > OWN_PIPES || kinds.some((kind) => WORK.has(kind))) return "work";
    return kinds.includes("Immediate") ? "a round" : "nothing";
  };
  /** Waits until everything that goes on in this moment is done, reads and writes of files included. */
  const settle = async (): Promise<void> => {
    for (let rounds = 0; rounds < MAX_ROUNDS;) {
      // It comes when no promise is left that goes on by itself.
      await new Promise<void>((resolve) => {
        nextRound(resolve);
      });
      const left = whatIsLeft();
      if (left === "nothing") return;
      rounds = left === "work" ? 0 : rounds + 1;
    }
  };

  return {
    /** Milliseconds since the beginning of the schedule. */
    elapsed: () => now - START,
    /** Runs something later; the returned function takes it back. */
    after(owner: Owner, ms: number, run: () => void): () => void {
      const id = set(ms, run, owner);
      return () => void timers.delete(id);
    },
    settle,
    /** Goes on to the next timer and runs it. @returns false where none is set */
    async step(): Promise<boolean> {
      let next: Timer | undefined;
      for (const timer of timers.values()) if (next === undefined || timer.at < next.at) next = timer;
      if (next === undefined) return false;
      timers.delete(next.id);
      now = Math.max(now, next.at);
      next.run();
      await settle();
      return true;
    },
    /** How many timers are set. */
    pending: (owner: Owner) => [...timers.values()].filter((timer) => timer.owner === owner).length,
    /** A process that is killed has no timers any more. */
    drop(owner: Owner): void {
      for (const timer of timers.values()) if (timer.owner === owner) timers.delete(timer.id);
    },
    /** A new schedule begins. */
    reset(): void {
      now = START;
      timers = new Map();
    },
  };
}
