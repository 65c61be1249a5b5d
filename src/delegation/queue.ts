import { type Clock, deferred } from "../lib/async.ts";
import type { ModelId } from "../host/port.ts";

/** How many child model loops may run at once. Undefined entries are unlimited. */
export interface QueueLimits {
  readonly background: number;
  readonly perProvider: Readonly<Record<string, number>>;
  readonly perModel: Readonly<Record<string, number>>;
}

interface Entry {
  readonly background: boolean;
  readonly model: ModelId | null;
  /** Entries of one beginning send a provider the same first bytes; empty for a beginning of its own. */
  readonly beginning: string;
  readonly start: () => void;
}

export interface Ticket {
  /** Resolves when the work may start, and when the ticket is given back before that. Never rejects. */
  readonly ready: Promise<void>;
  /** 0 when running, else 1 for the next one, and so on. */
  position(): number;
  /** The model has begun to answer: from now on the provider has what was sent to it. */
  answering(): void;
  /** Gives the place back, whether waiting or running. Harmless when called twice. */
  release(): void;
}

/** How long others wait for the first answer to their beginning: providers have read a prompt of this size by then. */
const MAX_COLD_MS = 3_000;
/** How long providers keep a beginning that was sent, less what the next one takes to arrive. */
const KEPT_MS = 4 * 60_000;

/**
 * First in, first out, sync work before background work. A waiting entry that is held back by its provider's limit
 * does not hold back the ones behind it that are not. Of entries that begin alike together, one goes ahead until the model
 * answers: the others then find their beginning in the provider's cache instead of paying for it each.
 */
export function createQueue(
  limits: QueueLimits,
  clock: Clock,
): { enter(request: Omit<Entry, "start">): Ticket } {
  const waiting: Entry[] = [];
  const running = new Set<Entry>();
  /** By model and beginning: who goes ahead, and until when what was sent is kept. */
  const ahead = new Map<string, { readonly entry: Entry; stop(): void }>();
  const keptUntil = new Map<string, number>();

  const fits = (entry: Entry, among: readonly Entry[]): boolean => {
    const count = (test: (entry: Entry) => boolean): number => among.filter(test).length;
    if (entry.background && count((other) => other.background) >= limits.background) return false;
    if (entry.model === null) return true;
    const provider = providerOf(entry.model);
    const sameProvider = count((other) => other.model !== null && providerOf(other.model) === provider);
    const sameModel = count((other) => other.model === entry.model);
    return (
      sameProvider < (limits.perProvider[provider] ?? Infinity) &&
      sameModel < (limits.perModel[entry.model] ?? Infinity)
    );
  };
  const inOrder = (): Entry[] => waiting.toSorted((a, b) => Number(a.background) - Number(b.background));
  const advance = (): void => {
    for (const entry of inOrder()) {
      if (ahead.has(keyOf(entry)) || !fits(entry, [...running])) continue;
      waiting.splice(waiting.indexOf(entry), 1);
      running.add(entry);
      goAhead(entry);
      entry.start();
    }
  };
  const goAhead = (entry: Entry): void => {
    const key = keyOf(entry);
    const isKept = (keptUntil.get(key) ?? 0) > clock.now();
    if (entry.beginning === "" || isKept) return;
    ahead.set(key, { entry, stop: clock.after(MAX_COLD_MS, () => follow(entry)) });
  };
  const follow = (entry: Entry): void => {
    const key = keyOf(entry);
    if (ahead.get(key)?.entry !== entry) return;
    ahead.get(key)?.stop();
    ahead.delete(key);
    advance();
  };

  return {
    enter(request) {
      const { promise: ready, resolve: start } = deferred();
      const entry: Entry = { ...request, start };
      waiting.push(entry);
      advance();
      return {
        ready,
        position: () => inOrder().indexOf(entry) + 1,
        answering() {
          if (entry.beginning === "" || !running.has(entry)) return;
          keptUntil.set(keyOf(entry), clock.now() + KEPT_MS);
          follow(entry);
        },
        release() {
          const index = waiting.indexOf(entry);
          if (index >= 0) waiting.splice(index, 1);
          entry.start();
          if (!running.delete(entry)) return;
          follow(entry);
          advance();
        },
      };
    },
  };
}

function keyOf({ model, beginning }: Entry): string {
  return `${model ?? ""} ${beginning}`;
}

export function providerOf(model: ModelId): string {
  return model.slice(0, Math.max(0, model.indexOf("/")));
}
