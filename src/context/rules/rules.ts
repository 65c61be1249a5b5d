import { stat } from "node:fs/promises";
import { join } from "node:path";
import { renderProblem } from "../../config/problem.ts";
import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
import type { Logger } from "../../lib/logger.ts";
import type { RuleSources } from "./load.ts";
import { DOMAIN_INDEX, MANIFEST, RULE_FOLDERS } from "./places.ts";
import type { Catalogue } from "./rule.ts";

/** How long a turn waits for rules, in milliseconds. */
const PATIENCE_MS = 4_000;
/** More lines than this do not fit into a toast. */
const MAX_LINES = 3;

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
  { directory, clock, redact }: Omit<RuleSources, "givenByHost">,
  logger: Logger,
  tell: (message: string) => unknown,
): Rules {
  const told = new Set<string>();
  let givenByHost: readonly string[] = [];
  let latest: Promise<Catalogue | null> | null = null;

  const isThere = async (path: string): Promise<boolean> => {
    try {
      await stat(join(directory, path));
      return true;
    } catch {
      return false;
    }
  };
  const load = async (): Promise<Catalogue | null> => {
    const places = [...RULE_FOLDERS.map(({ folder }) => folder), MANIFEST, DOMAIN_INDEX];
    if (!(await Promise.all(places.map(isThere))).includes(true)) return null;
    const { loadCatalogue } = await import("./load.ts");
    return loadCatalogue({ directory, clock, redact, givenByHost });
  };
  const report = ({ problems }: Catalogue): void => {
    const lines = problems.map(renderProblem).filter((line) => !told.has(line));
    if (lines.length === 0) return;
    for (const line of lines) {
      told.add(line);
      logger.log("warn", "rules", line);
    }
    const more =
      lines.length > MAX_LINES ? [`… and ${lines.length - MAX_LINES} more in OpenCode's log.`] : [];
    tell(["Rules of this project:", ...lines.slice(0, MAX_LINES), ...more].join("\n"));
  };
  const look = async (): Promise<Catalogue | null> => {
    try {
      const found = await bounded(load(), PATIENCE_MS, clock, "rules of the project");
      if (found !== null) report(found);
      return found === null || found.rules.length === 0 ? null : found;
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
