import { expect, it } from "vitest";
import { startSimulators } from "./start.ts";

/** Schedules in all; `SIM_RUNS=10000` for the long run. */
const RUNS = Number(process.env["SIM_RUNS"] ?? 120);
/** The short run is the same each time; a long one looks for what is new. */
const SEED = Number(process.env["SIM_SEED"] ?? (process.env["SIM_RUNS"] === undefined ? 1 : Date.now()));
/**
 * Processes that share the work, each with a seed of its own: the same on every machine, however many run at once. They are
 * few, because the first hundreds of schedules of a process take half as long again as those behind them.
 */
const SHARES = Math.ceil(RUNS / 2_500);

it("keeps what is promised in every schedule", { timeout: 300_000 + RUNS * 300 }, async () => {
  const shares = Array.from({ length: SHARES }, (_, index) => ({
    SIM_RUNS: String(Math.ceil(RUNS / SHARES)),
    SIM_SEED: String(SEED + index),
  }));
  const ended = await startSimulators(shares);
  for (const { code, output } of ended) expect(code, output).toBe(0);
});
