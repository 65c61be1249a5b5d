import { parseArgs, type ParseArgsConfig } from "node:util";
import { createError, describeError } from "../lib/error.ts";
import { firstSentence } from "../lib/sentence.ts";

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
    // What Node says behind its first sentence is about arguments that nothing here takes.
    throw createError(command, `${firstSentence(describeError(error))}.`, { cause: error, hint });
  }
}
