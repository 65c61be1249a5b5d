import type { ResolvedConfig } from "./schema.ts";

export interface LanesConfig {
  /** `auto`: where a wave has more than one task that edits. */
  readonly mode: "off" | "auto" | "always";
  /** Globs of ignored files that a worktree gets a copy of, relative to the project's folder. */
  readonly copy: readonly string[];
  /** Where the work of a unit lands: in the user's tree, or on the branch `gaia/<unit>`. */
  readonly land: "worktree" | "branch";
  /** The command that makes a worktree ready for work; undefined for none. */
  readonly setup?: string | undefined;
  /** Gives that command the network in its sandbox. */
  readonly network: boolean;
}

/** `lanes` in its long form. */
export function lanesOf({ lanes }: Pick<ResolvedConfig, "lanes">): LanesConfig {
  return typeof lanes === "string" ? { mode: lanes, copy: [], land: "worktree", network: false } : lanes;
}
