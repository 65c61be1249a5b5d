import type { Clock } from "../../lib/clock.ts";
import { describeError } from "../../lib/error.ts";
import { excerpt } from "../../lib/excerpt.ts";
import { isWithin } from "../../sandbox/profile.ts";
import type { FoundServer } from "./find-server.ts";
import { codeOf } from "./launch.ts";
import type { LanguageServer } from "./server.ts";

/** What is bounded of all servers. */
export interface PoolBounds {
  /** Servers at once: the one that was used longest ago is ended for another. */
  readonly servers: number;
  /** Of one server with everything that it started, where the system tells. */
  readonly bytes: number;
  readonly idleMs: number;
}

export const POOL_BOUNDS: PoolBounds = { servers: 4, bytes: 2_000_000_000, idleMs: 600_000 };

/** How often servers are looked at: what they hold, and whether anyone still needs them. */
const LOOK_MS = 30_000;
/** Questions in a row that a server leaves unanswered before nobody asks it for a while, in milliseconds. */
const MAX_FAILURES = 2;
const COOL_DOWN_MS = 300_000;
/** How often what one server holds is measured at most, in milliseconds: it takes looking at every process. */
const MEASURE_MS = 5_000;
/** The protocol's code for a question that a server does not know. */
const METHOD_NOT_FOUND = -32_601;
const MAX_WHY = 300;

/** Thrown for a server that cannot be asked; its message is for the model. */
export class ServerTrouble extends Error {
  override readonly name = "ServerTrouble";
}

/** Language servers, one per root and language, started when they are first needed. */
export interface ServerPool {
  /** Asks a server something, one question at a time. @throws ServerTrouble */
  ask<T>(found: FoundServer, question: (server: LanguageServer) => Promise<T>): Promise<T>;
  /** Servers that run at this moment, the one used longest ago first. */
  running(): FoundServer[];
  /** Ends the servers of a folder that is about to go, and waits for their end. */
  leave(folder: string): Promise<void>;
  dispose(): Promise<void>;
}

interface Slot {
  readonly found: FoundServer;
  server: Promise<LanguageServer> | null;
  /** Behind the questions that were asked before. */
  queue: Promise<unknown>;
  waiting: number;
  usedAt: number;
  measuredAt: number;
  failures: number;
  failedAt: number;
}

export function createPool(
  start: (found: FoundServer) => Promise<LanguageServer>,
  clock: Clock,
  bounds: PoolBounds = POOL_BOUNDS,
): ServerPool {
  // In the order of their last use.
  const slots = new Map<string, Slot>();
  const ending = new Set<Promise<void>>();
  let cancelLook: (() => void) | null = null;
  let isDisposed = false;

  const end = (slot: Slot): void => {
    const { server } = slot;
    slot.server = null;
    if (server === null) return;
    const job: Promise<void> = server
      .then(async (each) => each.end())
      .catch(() => undefined) // It never came up.
      .finally(() => ending.delete(job));
    ending.add(job);
  };

  const isUp = ({ server }: Slot): boolean => server !== null;

  const look = async (): Promise<void> => {
    for (const slot of [...slots.values()].filter(isUp)) {
      const server = await slot.server?.catch(() => null);
      const isIdle = slot.waiting === 0 && clock.now() - slot.usedAt >= bounds.idleMs;
      if (server === null || server === undefined) continue;
      // What a server that ended by itself has left is tidied up as well.
      if (isIdle || server.gone() !== null || ((await server.memory()) ?? 0) > bounds.bytes) end(slot);
    }
  };

  const keepLooking = (): void => {
    cancelLook ??= clock.after(Math.min(LOOK_MS, bounds.idleMs), () => {
      cancelLook = null;
      look()
        .catch(() => undefined) // What cannot be measured stays within the other bounds.
        .finally(() => {
          if (!isDisposed && [...slots.values()].some(isUp)) keepLooking();
        });
    });
  };

  const makeRoom = (): void => {
    const up = [...slots.values()].filter(isUp);
    const oldest = up.find(({ waiting }) => waiting === 0);
    if (up.length < bounds.servers) return;
    if (oldest === undefined)
      throw new ServerTrouble(`All ${bounds.servers} language servers are busy. Ask again in a moment.`);
    end(oldest);
  };

  const serverOf = async (slot: Slot): Promise<LanguageServer> => {
    const running = await slot.server?.catch(() => null);
    if (running?.gone() === null) return running;
    end(slot);
    makeRoom();
    slot.server = start(slot.found);
    keepLooking();
    return slot.server;
  };

  const measure = async (slot: Slot): Promise<void> => {
    if (clock.now() - slot.measuredAt < MEASURE_MS) return;
    slot.measuredAt = clock.now();
    const server = await slot.server;
    if (((await server?.memory()) ?? 0) > bounds.bytes) end(slot);
  };

  /** One that ends in the middle of a question is started again and asked once more: questions change nothing. */
  const askSlot = async <T>(
    slot: Slot,
    question: (server: LanguageServer) => Promise<T>,
    isRepeated = false,
  ): Promise<T> => {
    const { language, install } = slot.found.entry;
    if (isDisposed) throw new ServerTrouble("OpenCode closed the project.");
    // What kept it from answering, a busy machine for instance, may be over.
    if (slot.failures >= MAX_FAILURES && clock.now() - slot.failedAt < COOL_DOWN_MS)
      throw new ServerTrouble(
        `The language server for ${language} does not work here at the moment: go on without it.`,
      );
    let server: LanguageServer | null = null;
    try {
      server = await serverOf(slot);
      const answer = await question(server);
      slot.failures = 0;
      return answer;
    } catch (error) {
      if (error instanceof ServerTrouble) throw error;
      const gone = server?.gone() ?? null;
      if (gone !== null && !isRepeated) return askSlot(slot, question, true);
      const why = excerpt(gone ?? describeError(error), MAX_WHY);
      const isAnswer = server !== null && gone === null;
      if (isAnswer && codeOf(error) === METHOD_NOT_FOUND)
        throw new ServerTrouble(`The language server for ${language} knows nothing of that. Use grep.`);
      if (isAnswer && codeOf(error) !== 0)
        throw new ServerTrouble(`The language server for ${language} answered: ${why}`);
      // One that does not answer now would not answer the next question either.
      end(slot);
      slot.failures += 1;
      slot.failedAt = clock.now();
      if (server !== null)
        throw new ServerTrouble(`The language server for ${language} did not answer: ${why}`);
      // What is on PATH may only stand for a program that is not installed, as rustup's does.
      throw new ServerTrouble(
        `The language server for ${language} did not start: ${why}\nTo install it: ${install}`,
      );
    }
  };

  return {
    async ask(found, question) {
      const key = `${found.entry.language}\0${found.root}\0${found.command.join("\0")}`;
      const slot = slots.get(key) ?? {
        found,
        server: null,
        queue: Promise.resolve(),
        waiting: 0,
        usedAt: 0,
        measuredAt: -Infinity,
        failures: 0,
        failedAt: 0,
      };
      slots.delete(key);
      slots.set(key, slot);
      slot.waiting += 1;
      const turn = slot.queue.then(async () => askSlot(slot, question));
      // Who asked does not wait while it is measured; the next one does.
      slot.queue = turn.then(async () => measure(slot)).catch(() => undefined);
      try {
        return await turn;
      } finally {
        slot.waiting -= 1;
        slot.usedAt = clock.now();
      }
    },
    running: () => [...slots.values()].filter(isUp).map(({ found }) => found),
    async leave(folder) {
      for (const [key, slot] of slots) {
        if (!isWithin(slot.found.root, folder)) continue;
        slots.delete(key);
        end(slot);
      }
      await Promise.all(ending);
    },
    async dispose() {
      isDisposed = true;
      cancelLook?.();
      for (const slot of slots.values()) end(slot);
      await Promise.all(ending);
    },
  };
}
