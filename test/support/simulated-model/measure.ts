import { dependenciesOf, type Sent } from "./dependencies.ts";
import { createPrefixCache } from "./prefix-cache.ts";

/** Roughly what a tokenizer makes of prompts and code. */
const BYTES_PER_TOKEN = 4;
/** A model: seconds to the first token, uncached tokens that it reads and tokens that it writes in a second. */
export interface Pace {
  readonly firstToken: number;
  readonly reads: number;
  readonly writes: number;
}

const SIMULATED: Pace = { firstToken: 0.6, reads: 4_000, writes: 60 };
/** Whatever it reads and writes. */
export const TWO_SECONDS_A_TURN: Pace = { firstToken: 2, reads: Infinity, writes: Infinity };

/** What providers commonly bill for a byte that they have cached. */
const CACHED_PRICE = 0.1;

/** A request with its answer, as a provider sees it. */
export interface Exchange extends Sent {
  readonly model: string;
  /** Tools, then messages. */
  readonly prompt: Buffer;
  /** Bytes of the request's JSON, and of the text and the calls of its answer. */
  readonly bytes: number;
  readonly answerBytes: number;
}

/** What a piece of work cost. */
export interface Measured {
  readonly requests: number;
  readonly bytes: number;
  /** Bytes sent that the provider had cached, whichever session had sent them before. */
  readonly cached: number;
  /** New bytes, and a tenth of the cached ones. */
  readonly billed: number;
  /** Wall time with the simulated model, in seconds. */
  readonly seconds: number;
}

/**
 * What a recording costs with a model that takes its time: nothing is slept through, each request begins on paper as soon as
 * all that it waited for in the recording is answered, so that parallel children overlap. Exact for the model's own time;
 * tools, people and OpenCode itself take none here.
 * @param exchanges in the order in which they came
 */
export function measure(exchanges: readonly Exchange[], pace = SIMULATED): Measured {
  const waitsFor = dependenciesOf(exchanges);
  const caches = new Map<string, ReturnType<typeof createPrefixCache>>();
  const begun = new Map<number, number>();
  const ends = new Map<number, number>();
  let cached = 0;
  const startOf = (index: number): number | null => {
    const { answers, begun: ahead } = waitsFor[index] ?? { answers: [], begun: [] };
    const times = [...answers.map((at) => ends.get(at)), ...ahead.map((at) => begun.get(at))];
    return times.includes(undefined) ? null : Math.max(0, ...times.map((time) => time ?? 0));
  };
  for (const _each of exchanges) {
    // In the order of their beginnings, because each finds cached what others have sent before.
    const ready = [...exchanges.keys()].flatMap((index) => {
      const start = ends.has(index) ? null : startOf(index);
      return start === null ? [] : [{ index, start }];
    });
    const [next] = ready.toSorted((a, b) => a.start - b.start || a.index - b.index);
    const exchange = exchanges[next?.index ?? -1];
    if (next === undefined || exchange === undefined) break;
    const cache = caches.get(exchange.model) ?? createPrefixCache();
    caches.set(exchange.model, cache);
    const known = cache.find(exchange.prompt, next.start);
    const unread = (exchange.prompt.length - known) / BYTES_PER_TOKEN;
    const readAt = next.start + pace.firstToken + unread / pace.reads;
    cache.add(exchange.prompt, readAt);
    cached += known;
    begun.set(next.index, readAt);
    ends.set(next.index, readAt + exchange.answerBytes / BYTES_PER_TOKEN / pace.writes);
  }
  const bytes = exchanges.reduce((sum, exchange) => sum + exchange.bytes, 0);
  return {
    requests: exchanges.length,
    bytes,
    cached,
    billed: bytes - cached + cached * CACHED_PRICE,
    seconds: Math.max(0, ...ends.values()),
  };
}
