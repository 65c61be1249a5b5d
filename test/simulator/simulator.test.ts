import { expect, it } from "vitest";
import { startSimulators } from "./start.ts";

/** Schedules in all; `SIM_RUNS=10000` for the long run. */
const RUNS = Number(process.env["SIM_RUNS"] ?? 120);
/** The short run is the same each time; a long one looks for what is new. */
const SEED = Number(process.env["SIM_SEED"] ?? (process.env["SIM_RUNS"] === undefined ? 1 : Date.now()));
/** Processes that share the work. */
const PROCESSES = RUNS > 1_000 ? 2 : 1;

it("keeps what is promised in every schedule", { timeout: 300_000 + RUNS * 100 }, async () => {
  const shares = Array.from({ length: PROCESSES }, (_, index) => ({
    SIM_RUNS: String(Math.ceil(RUNS / PROCESSES)),
    SIM_SEED: String(SEED + index),
  }));
  const ended = await startSimulators(shares);
  for (const { code, output } of ended) expect(code, output).toBe(0);
});
