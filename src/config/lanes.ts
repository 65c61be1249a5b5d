import type { ResolvedConfig } from "./schema.ts";

/** What the configuration says of worktrees for the tasks of a plan. */
export interface LanesConfig {
  /** `auto`: where a wave has more than one task that edits. */
  readonly use: "off" | "auto" | "always";
  /** Ignored files and folders that a worktree gets a copy of, relative to the top of the repository. */
  readonly copy: readonly string[];
}

/** `lanes` in its long form. */
export function lanesOf({ lanes }: Pick<ResolvedConfig, "lanes">): LanesConfig {
  return typeof lanes === "string" ? { use: lanes, copy: [] } : lanes;
}
