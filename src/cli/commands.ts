import type { Command } from "./command.ts";
import { demo } from "./demo/command.ts";

/** Every command of the CLI, in the order in which `--help` lists them. */
export const COMMANDS: readonly Command[] = [demo];
