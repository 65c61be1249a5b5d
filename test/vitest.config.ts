import { resolve } from "node:path";
import { defineConfig } from "vitest/config";
import { SERVERS } from "./support/servers.ts";

/**
 * What counts all that its process holds has one to itself. The others share: half of the unit tests' time went into
 * importing the same modules for each file again.
 */
const ALONE = ["test/plugin/forgetting.test.ts"];

/** Many unit tests wait for git; they are made for two cores. */
const UNIT_WORKERS = 3;

export default defineConfig({
  root: resolve(import.meta.dirname, ".."),
  test: {
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", "test/bench/**", ...ALONE],
          isolate: false,
          setupFiles: ["test/support/leave-as-found.ts"],
          maxWorkers: UNIT_WORKERS,
          // Far beyond what any of them takes, also on a machine that is busy: it ends what hangs and measures nothing.
          testTimeout: 30_000,
        },
      },
      { test: { name: "alone", include: ALONE, testTimeout: 30_000, maxWorkers: UNIT_WORKERS } },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          globalSetup: ["test/support/global-setup.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          isolate: false,
          setupFiles: ["test/support/leave-as-found.ts"],
          maxWorkers: SERVERS,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
