import { resolve } from "node:path";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { FlakyReporter, RETRIES } from "./support/flaky.ts";
import { SERVERS } from "./support/servers.ts";

/**
 * What counts all that its process holds has one to itself. The others share: half of the unit tests' time went into
 * importing the same modules for each file again.
 */
const ALONE = ["test/plugin/forgetting.test.ts"];

/** What starts and kills OpenCode over and over, installs packages, waits, plays whole pieces of work, or is a long table: `.ci/run` has it as well. */
const LONG = "test/**/*.long.test.ts";

/** What a worker does before its tests. */
const SETUP = ["test/support/generated.ts", "test/support/leave-as-found.ts"];

/** Many unit tests wait for git; they are made for two cores. */
const UNIT_WORKERS = 3;

export default defineConfig({
  root: resolve(import.meta.dirname, ".."),
  test: {
    reporters: ["default", new FlakyReporter()],
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/e2e/**", "test/bench/**", LONG, ...ALONE],
          isolate: false,
          retry: RETRIES,
          setupFiles: SETUP,
          maxWorkers: UNIT_WORKERS,
          // Far beyond what any of them takes, also on a machine that is busy: it ends what hangs and measures nothing.
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "alone",
          include: ALONE,
          retry: RETRIES,
          setupFiles: ["test/support/generated.ts"],
          testTimeout: 30_000,
          hookTimeout: 60_000,
          maxWorkers: UNIT_WORKERS,
        },
      },
      inOpenCode("e2e", { include: ["test/e2e/**/*.test.ts"], exclude: [LONG], groupOrder: 1 }),
      inOpenCode("long", { include: [LONG], exclude: [], groupOrder: 2 }),
    ],
  },
});

interface Scenes {
  readonly include: string[];
  readonly exclude: string[];
  /** Which of the others are over before it begins. */
  readonly groupOrder: number;
}

/** Scenes in the real OpenCode, whose servers they share. */
function inOpenCode(name: string, { include, exclude, groupOrder }: Scenes): TestProjectInlineConfiguration {
  return {
    test: {
      name,
      include,
      exclude,
      globalSetup: ["test/support/global-setup.ts"],
      // As above; a scene whose OpenCode does not answer ends before it, and says what it waited for.
      testTimeout: 120_000,
      hookTimeout: 120_000,
      isolate: false,
      retry: RETRIES,
      setupFiles: SETUP,
      maxWorkers: SERVERS,
      sequence: { groupOrder },
    },
  };
}
