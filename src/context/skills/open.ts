import { isAbsolute } from "node:path";
import type { Host, HostSkill } from "../../host/port.ts";
import { createCurrent, type Current } from "../current.ts";
import type { SkillInput } from "./load.ts";
import type { SkillCatalogue } from "./skill.ts";

/** The skills that OpenCode finds; nothing of them is read where none stands in a file and the configuration names none. */
export interface Skills extends Current<SkillCatalogue> {
  /** What they are called, those that OpenCode brings along among them; null where it does not tell. */
  names(): Promise<readonly string[] | null>;
  /** Whether it is certain that there are none but what OpenCode brings along. */
  areNone(): Promise<boolean>;
}

export function openSkills(
  input: Pick<SkillInput, "configured" | "servers" | "clock" | "redact">,
  host: Pick<Host, "skills" | "project" | "worktree" | "logger" | "toast">,
): Skills {
  const { project: directory, worktree, logger, toast } = host;
  const list = async (): Promise<readonly HostSkill[] | null> =>
    (await host.skills())?.filter(({ location }) => isAbsolute(location)) ?? null;
  const load = async (): Promise<SkillCatalogue | null> => {
    const listed = await list();
    if (listed === null || listed.length + input.configured.length === 0) return null;
    const { loadSkills } = await import("./load.ts");
    return loadSkills({ ...input, listed, directory, worktree });
  };
  return {
    ...createCurrent({ logger, toast, clock: input.clock, what: "skills" }, load),
    names: async () => (await host.skills())?.map(({ name }) => name) ?? null,
    areNone: async () => (await list())?.length === 0,
  };
}
