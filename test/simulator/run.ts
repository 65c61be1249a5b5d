import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { runSchedule } from "./run-schedule.ts";
import { anySchedule, type Schedule } from "./schedule.ts";
import { installVirtualTime } from "./time.ts";

/**
 * Runs schedules in a process of its own. SIM_RUNS how many, SIM_SEED which; SIM_PATH replays one that failed, as the
 * failure prints it. SIM_SCHEDULE is one as JSON, of which only the violations are printed.
 */
const RUNS = Number(process.env["SIM_RUNS"] ?? 300);
const SEED = Number(process.env["SIM_SEED"] ?? 1);
const PATH = process.env["SIM_PATH"];

// In memory, where there is such a place: a schedule writes files, and what disks cost is no part of it.
const base = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
const place = join(base, `gaia-simulator-${process.pid}`);
for (const name of ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "HOME"]) process.env[name] = join(place, "home");
const before = process.hrtime.bigint();
const time = installVirtualTime();
/** How long a failure may be made smaller, in nanoseconds. */
const SHRINKING = 60_000_000_000n;
const ONE = process.env["SIM_SCHEDULE"];
if (ONE !== undefined) {
  const { violations } = await runSchedule(JSON.parse(ONE) as Schedule, time, place);
  console.log(violations.join("\n"));
  process.exit();
}
let failedAt: bigint | null = null;
let ran = 0;
let requests = 0;
const check = await fc.check(
  fc.asyncProperty(anySchedule, async (schedule) => {
    if (failedAt !== null && process.hrtime.bigint() - failedAt > SHRINKING) return;
    const outcome = await runSchedule(schedule, time, place);
    ran += 1;
    requests += outcome.requests;
    if (outcome.violations.length === 0) return;
    failedAt ??= process.hrtime.bigint();
    throw new Error([...outcome.violations, "", ...outcome.trace].join("\n"));
  }),
  { seed: SEED, numRuns: RUNS, ...(PATH === undefined ? {} : { path: PATH, endOnFailure: true }) },
);
const ms = Number((process.hrtime.bigint() - before) / 1_000_000n);
if (check.failed) {
  const [schedule] = check.counterexample ?? [];
  const error = check.errorInstance instanceof Error ? check.errorInstance.message : "";
  console.log(
    `A schedule fails. Replay: SIM_SEED=${SEED} SIM_PATH=${check.counterexamplePath ?? ""} npx tsx test/simulator/start.ts`,
  );
  console.log(JSON.stringify(schedule, null, 1));
  console.log(error);
  process.exitCode = 1;
}
console.log(`${ran} schedules with ${requests} model requests in ${ms} ms (seed ${SEED})`);
