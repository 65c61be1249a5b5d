/** A file of OpenCode that lists plugins; `init` adds this package to each. */
export interface Target {
  /** File name without extension: `.json` and `.jsonc` mean the same to OpenCode. */
  readonly name: string;
  /** Address of its JSON Schema, for a file that does not exist yet. */
  readonly schema: string;
  /**
   * Keys of an old opencode.json that OpenCode moves into this file at its next start, as long as the file is not there:
   * making it first would lose them.
   */
  readonly movedIn?: readonly string[];
}

/** The plugin itself, and its panel in the terminal. */
export const TARGETS: readonly Target[] = [
  { name: "opencode", schema: "https://opencode.ai/config.json" },
  { name: "tui", schema: "https://opencode.ai/tui.json", movedIn: ["theme", "keybinds", "tui"] },
];
