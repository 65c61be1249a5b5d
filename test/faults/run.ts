/**
 * Plants the faults, each alone, and demands that the tests named beside each go red:
 * `npx tsx test/faults/run.ts [words of a guarantee or a room …]`. The sources stay as they are: a fault is put into its
 * module when that is loaded.
 */
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { createVitest } from "vitest/node";
import { ROOT, readFaults, type Planted } from "./faults.ts";

const wanted = process.argv.slice(2);
const faults = (await readFaults()).filter(
  ({ breaks, room }) => wanted.length === 0 || wanted.some((word) => room === word || breaks.includes(word)),
);

/** How many are looked for at the same time, each in sources of its own: most are found by one file of tests, on one core. */
const AT_ONCE = availableParallelism();

/** @returns whether the tests that are to find a fault pass with it. That they pass without one, `npm test` shows. */
async function openTests(): Promise<(fault: Planted) => Promise<boolean>> {
  let planted: Planted | null = null;
  const vitest = await createVitest(
    "test",
    {
      root: ROOT,
      config: false,
      watch: false,
      include: ["test/**/*.test.ts"],
      exclude: ["test/e2e/**", "test/**/*.long.test.ts"],
      setupFiles: ["test/support/generated.ts", "test/support/leave-as-found.ts"],
      isolate: false,
      bail: 1,
      maxWorkers: 1,
      testTimeout: 30_000,
      reporters: [{}],
      silent: true,
    },
    {
      plugins: [
        {
          name: "plant-a-fault",
          enforce: "pre",
          transform: (code, id) =>
            planted !== null && id === pathOf(planted)
              ? code.replace(planted.from, () => planted?.to ?? "")
              : null,
        },
      ],
    },
  );
  return async (fault) => {
    planted = fault;
    vitest.invalidateFile(pathOf(fault));
    const specifications = await vitest.globTestSpecifications([fault.found]);
    if (specifications.length === 0) throw new Error(`${fault.found} holds no tests.`);
    const { testModules } = await vitest.runTestSpecifications(specifications);
    vitest.invalidateFile(pathOf(fault));
    // It gives the files of earlier runs as well.
    const ids = new Set(specifications.map(({ moduleId }) => moduleId));
    return testModules.filter(({ moduleId }) => ids.has(moduleId)).every((module) => module.ok());
  };
}

function pathOf({ files }: Planted): string {
  return join(ROOT, "src", files[0] ?? "");
}

const missed: string[] = [];
const began = performance.now();
const waiting = faults.values();
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    const passes = await openTests();
    for (const fault of waiting) {
      const start = performance.now();
      const isMissed = await passes(fault);
      if (isMissed) missed.push(fault.breaks);
      const seconds = ((performance.now() - start) / 1_000).toFixed(1);
      process.stdout.write(
        `${isMissed ? "MISSED" : "found "} ${seconds.padStart(5)} s  ${fault.room}: ${fault.breaks}\n`,
      );
    }
  }),
);
process.stdout.write(
  `${faults.length - missed.length} of ${faults.length} faults found in ${Math.round((performance.now() - began) / 1_000)} s\n`,
);
process.exit(missed.length === 0 ? 0 : 1);
