/** A file of OpenCode that lists plugins; `init` adds this package to each. */
export interface Target {
  /** File name without extension: `.json` and `.jsonc` mean the same to OpenCode. */
  readonly name: string;
  /** Address of its JSON Schema, for a file that is made anew. */
  readonly schema: string;
}

/** The terminal panel will be one more line: `{ name: "tui", schema: "https://opencode.ai/tui.json" }`. */
export const TARGETS: readonly Target[] = [{ name: "opencode", schema: "https://opencode.ai/config.json" }];
