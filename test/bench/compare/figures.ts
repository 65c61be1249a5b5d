import type { Installed } from "./contenders.ts";
import type { Measured } from "../../support/simulated-model/measure.ts";

/** What was measured of one contender; null where it could not be. Bytes are bytes of JSON, times milliseconds. */
export interface Figures {
  readonly contender: Pick<Installed, "name" | "version" | "ownBytes" | "allBytes">;
  /** The first request of the agent that the user speaks to, and its tool definitions. */
  readonly first: { readonly total: number; readonly tools: number } | null;
  /** The first request of OpenCode's own `build`, while this is installed. */
  readonly build: number | null;
  /** The first requests of an agent that reads and of one that writes, their tasks included. */
  readonly reader: number | null;
  readonly writer: number | null;
  /** Median wall time that it adds to `opencode run`, with `build` and with its own orchestrator. */
  readonly startUp: number | null;
  readonly firstTurn: number | null;
  /** Median from an orchestrator's answer that delegates to its next request, the child answering at once. */
  readonly delegation: number | null;
}

/** A piece of work, by everyone; null for one who did not do it. */
export interface WorkFigures {
  readonly what: string;
  readonly measured: readonly { readonly name: string; readonly cost: Measured | null }[];
}

export interface Comparison {
  readonly date: string;
  readonly openCode: string;
  /** What the times were measured on. */
  readonly machine: string;
  readonly figures: readonly Figures[];
  /** Median wall time that a plugin which does nothing adds to `opencode run`. */
  readonly idleStartUp: number | null;
  readonly works: readonly WorkFigures[];
}

/** The upper median of the samples that could be taken; null for none. */
export function median(samples: readonly (number | null)[]): number | null {
  const taken = samples.filter((sample) => sample !== null).toSorted((a, b) => a - b);
  return taken[Math.floor(taken.length / 2)] ?? null;
}
