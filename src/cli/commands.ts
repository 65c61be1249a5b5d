import type { Command } from "./command.ts";

/** Every command of the CLI, in the order in which `--help` lists them. */
export const COMMANDS: readonly Command[] = [];
