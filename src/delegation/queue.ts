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
  readonly start: () => void;
}

/** A place in the queue. */
export interface Ticket {
  /** Resolves when the work may start, and when the ticket is given back before that. Never rejects. */
  readonly ready: Promise<void>;
  /** 0 when running, else 1 for the next one, and so on. */
  position(): number;
  /** Gives the place back, whether waiting or running. Harmless when called twice. */
  release(): void;
}

/**
 * First in, first out, sync work before background work. A waiting entry that is held back by its provider's limit
 * does not hold back the ones behind it that are not.
 */
export function createQueue(limits: QueueLimits): { enter(request: Omit<Entry, "start">): Ticket } {
  const waiting: Entry[] = [];
  const running = new Set<Entry>();

  const count = (test: (entry: Entry) => boolean): number => [...running].filter(test).length;
  const fits = (entry: Entry): boolean => {
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
      if (!fits(entry)) continue;
      waiting.splice(waiting.indexOf(entry), 1);
      running.add(entry);
      entry.start();
    }
  };

  return {
    enter(request) {
      let start: () => void = () => undefined;
      const ready = new Promise<void>((resolve) => {
        start = resolve;
      });
      const entry: Entry = { ...request, start };
      waiting.push(entry);
      advance();
      return {
        ready,
        position: () => inOrder().indexOf(entry) + 1,
        release() {
          const index = waiting.indexOf(entry);
          if (index >= 0) waiting.splice(index, 1);
          entry.start();
          if (running.delete(entry)) advance();
        },
      };
    },
  };
}

export function providerOf(model: ModelId): string {
  return model.slice(0, Math.max(0, model.indexOf("/")));
}
