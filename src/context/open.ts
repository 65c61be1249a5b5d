import { isAbsolute } from "node:path";
import { renderProblem, type ConfigProblem } from "../config/problem.ts";
import type { Host, HostSkill } from "../host/port.ts";
import { bounded, type Clock, shared } from "../lib/async.ts";
import { describeError } from "../lib/error.ts";
import { loadCatalogue, type RuleCatalogue, type RuleInput } from "./rules/load.ts";
import { loadSkills, type SkillCatalogue, type SkillInput } from "./skills/load.ts";

/** How long a turn waits for such files, in milliseconds. */
const PATIENCE_MS = 4_000;
/** More lines than this do not fit into a toast. */
const MAX_LINES = 3;

type Screen = Pick<Host, "logger" | "toast"> & {
  readonly oneShot: Pick<NonNullable<Host["oneShot"]>, "print"> | null;
};

/** Files of the project's as they are now; shows the user what cannot be used, each problem once. */
function createCurrent<T extends { readonly problems: readonly ConfigProblem[] }>(
  { logger, toast, oneShot }: Screen,
  clock: Clock,
  what: "rules" | "skills",
  load: () => Promise<T | null>,
) {
  const told = new Set<string>();
  let latest: Promise<T | null> | null = null;
  /** Who asks at the same time is answered at the same time, in the order in which they asked. */
  const look = shared(async (): Promise<T | null> => {
    try {
      const found = await bounded(load(), PATIENCE_MS, clock, `${what} of the project`);
      const fresh = (found?.problems ?? []).map(renderProblem).filter((line) => !told.has(line));
      for (const line of fresh) {
        told.add(line);
        logger.log("warn", what, line);
      }
      const title = `${what === "rules" ? "Rules" : "Skills"} of this project:`;
      const more = fresh.length > MAX_LINES ? ["… and more in OpenCode's log."] : [];
      // `opencode run` has no screen for a toast.
      if (fresh.length > 0) oneShot?.print([title, ...fresh].join("\n"));
      if (fresh.length > 0) void toast("warning", [title, ...fresh.slice(0, MAX_LINES), ...more].join("\n"));
      return found;
    } catch (error) {
      logger.log("warn", what, describeError(error));
      return null;
    }
  });
  const now = async (): Promise<T | null> => (latest = look());
  return {
    /** As the files are now; null where there are none. Nothing is looked at before someone asks. Never rejects. */
    now,
    /** As they were when someone asked last. */
    latest: async () => latest ?? now(),
  };
}

/** The rules that a project's files hold. */
export type Rules = ReturnType<typeof openRules>;

/** @param host shows the user what cannot be used */
export function openRules(input: RuleInput, host: Screen) {
  return createCurrent<RuleCatalogue>(host, input.clock, "rules", async () => {
    const found = await loadCatalogue(input);
    return found.rules.length + found.problems.length === 0 ? null : found;
  });
}

/** The skills that OpenCode finds; nothing of them is read where none stands in a file and the configuration names none. */
export type Skills = ReturnType<typeof openSkills>;

export function openSkills(
  input: Pick<SkillInput, "configured" | "servers" | "clock" | "redact">,
  host: Screen & Pick<Host, "skills" | "project" | "worktree">,
) {
  const { project: directory, worktree } = host;
  const list = async (): Promise<readonly HostSkill[] | null> =>
    (await host.skills())?.filter(({ location }) => isAbsolute(location)) ?? null;
  const load = async (): Promise<SkillCatalogue | null> => {
    const listed = await list();
    if (listed === null || listed.length + input.configured.length === 0) return null;
    return loadSkills({ ...input, listed, directory, worktree });
  };
  return {
    ...createCurrent(host, input.clock, "skills", load),
    /** Whether it is certain that there are none but what OpenCode brings along. */
    areNone: async () => (await list())?.length === 0,
  };
}
