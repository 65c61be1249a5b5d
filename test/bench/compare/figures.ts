import type { Installed } from "./contenders.ts";
import type { Traffic } from "./traffic.ts";

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
  /** All requests of the whole feature. */
  readonly feature: Traffic | null;
  /** Median wall time that it adds to `opencode run`, with `build` and with its own orchestrator. */
  readonly startUp: number | null;
  readonly firstTurn: number | null;
  /** Median from an orchestrator's answer that delegates to its next request, the child answering at once. */
  readonly delegation: number | null;
}

/** The same feature at one size, by native `build` alone and by GAIA over delegations. */
export interface CurvePoint {
  readonly files: number;
  readonly alone: Traffic;
  readonly gaia: Traffic;
}

export interface Comparison {
  readonly date: string;
  readonly openCode: string;
  /** What the times were measured on. */
  readonly machine: string;
  /** Files that the feature of {@link Figures.feature} edits. */
  readonly featureFiles: number;
  readonly figures: readonly Figures[];
  /** Median wall time that a plugin which does nothing adds to `opencode run`. */
  readonly idleStartUp: number | null;
  readonly curve: readonly CurvePoint[];
}

/** The upper median of the samples that could be taken; null for none. */
export function median(samples: readonly (number | null)[]): number | null {
  const taken = samples.filter((sample) => sample !== null).toSorted((a, b) => a - b);
  return taken[Math.floor(taken.length / 2)] ?? null;
}
