import { parseArgs, type ParseArgsConfig } from "node:util";
import { createError, describeError } from "../lib/error.ts";

/**
 * Reads the options of a command, as `parseArgs` of Node describes them.
 * @throws GaiaError on one that the command does not know
 */
export function parseFlags<const T extends NonNullable<ParseArgsConfig["options"]>>(
  command: string,
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const hint = `See: opencode-gaia ${command} --help`;
    throw createError(command, `${describeError(error)}.`, { cause: error, hint });
  }
}
