import { realpath } from "node:fs/promises";
import { relative } from "node:path";
import { lanesOf } from "../../config/lanes.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import type { Runtime } from "../../runtime.ts";
import type { Brought, LaneStore } from "../../snapshot/lanes/engine.ts";

/** What of the user's ignored files comes along into a worktree, as `lanes.copy` names it from the project's folder. */
export async function broughtTo(
  { from }: Pick<LaneStore, "from">,
  { host, config }: Pick<Runtime, "host" | "config">,
): Promise<Brought> {
  const { allowSensitive } = config.policy;
  return {
    globs: lanesOf(config).copy,
    below: relative(from, await realpath(host.project)),
    isPrivate: (path) => isSensitivePath(path, allowSensitive),
  };
}
