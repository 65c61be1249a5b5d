import type { ResolvedConfig } from "./schema.ts";

export type LanesConfig = Exclude<ResolvedConfig["lanes"], string>;

/** `lanes` in its long form. */
export function lanesOf({ lanes }: Pick<ResolvedConfig, "lanes">): LanesConfig {
  return typeof lanes === "string" ? { mode: lanes, copy: [], land: "worktree", network: false } : lanes;
}
