import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Host } from "../../host/port.ts";
import { renderProblem } from "../../config/problem.ts";
import { bounded } from "../../lib/bounded.ts";
import { describeError } from "../../lib/error.ts";
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

/** A look at the rules as the files are now, null where there are none; shows the user what cannot be used, each problem once. */
export function createLook({
  logger,
  toast,
}: Pick<Host, "logger" | "toast">): (input: RuleInput) => Promise<Catalogue | null> {
  const told = new Set<string>();
  const load = async (input: RuleInput): Promise<Catalogue | null> => {
    const looks = PLACES.map(async (path) => stat(join(input.directory, path)));
    if (!(await Promise.allSettled(looks)).some(({ status }) => status === "fulfilled")) return null;
    const { loadCatalogue } = await import("./load.ts");
    return loadCatalogue(input);
  };
  return async (input) => {
    try {
      const found = await bounded(load(input), PATIENCE_MS, input.clock, "rules of the project");
      const fresh = (found?.problems ?? []).map(renderProblem).filter((line) => !told.has(line));
      for (const line of fresh) {
        told.add(line);
        logger.log("warn", "rules", line);
      }
      const more = fresh.length > MAX_LINES ? ["… and more in OpenCode's log."] : [];
      if (fresh.length > 0)
        void toast("warning", ["Rules of this project:", ...fresh.slice(0, MAX_LINES), ...more].join("\n"));
      return found;
    } catch (error) {
      logger.log("warn", "rules", describeError(error));
      return null;
    }
  };
}
