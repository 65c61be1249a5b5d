import { stat } from "node:fs/promises";
import { join } from "node:path";
import { renderProblem } from "../../config/problem.ts";
import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { RuleInput } from "./load.ts";
import type { Catalogue } from "./rule.ts";

/** How long a turn waits for rules, in milliseconds. */
const PATIENCE_MS = 4_000;
/** More lines than this do not fit into a toast. */
const MAX_LINES = 3;
/** Without any of them nothing is loaded. */
const PLACES = [
  ".gaia/rules",
  ".claude/rules",
  ".cursor/rules",
  ".github/instructions",
  "docs/principles/manifest",
  "docs/domain/INDEX.md",
];

/** The rules that a project's files hold. Nothing is looked at before somebody asks; a project without any costs a few looks. */
export interface Rules {
  /** As the files are now; null where there are none. Never rejects. */
  now(): Promise<Catalogue | null>;
  /** As they were when somebody asked last. */
  latest(): Promise<Catalogue | null>;
  /** Patterns of files that the host gives to every agent by itself. */
  leaveOut(patterns: readonly string[]): void;
}

/** @param tell shows the user what cannot be used, each problem once */
export function createRules(
  input: Omit<RuleInput, "givenByHost">,
  logger: Logger,
  tell: (message: string) => unknown,
): Rules {
  const told = new Set<string>();
  let givenByHost: readonly string[] = [];
  let latest: Promise<Catalogue | null> | null = null;

  const load = async (): Promise<Catalogue | null> => {
    const looks = PLACES.map(async (path) => stat(join(input.directory, path)));
    if (!(await Promise.allSettled(looks)).some(({ status }) => status === "fulfilled")) return null;
    const { loadCatalogue } = await import("./load.ts");
    return loadCatalogue({ ...input, givenByHost });
  };
  const look = async (): Promise<Catalogue | null> => {
    try {
      const found = await bounded(load(), PATIENCE_MS, input.clock, "rules of the project");
      const fresh = (found?.problems ?? []).map(renderProblem).filter((line) => !told.has(line));
      for (const line of fresh) {
        told.add(line);
        logger.log("warn", "rules", line);
      }
      const more = fresh.length > MAX_LINES ? ["… and more in OpenCode's log."] : [];
      if (fresh.length > 0)
        tell(["Rules of this project:", ...fresh.slice(0, MAX_LINES), ...more].join("\n"));
      return found;
    } catch (error) {
      logger.log("warn", "rules", describeError(error));
      return null;
    }
  };

  return {
    now: async () => (latest = look()),
    latest: async () => (latest ??= look()),
    leaveOut(patterns) {
      givenByHost = patterns;
    },
  };
}
