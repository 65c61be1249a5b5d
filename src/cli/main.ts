import { nearestName } from "../config/nearest-name.ts";
import { describeError } from "../lib/error.ts";
import type { Command, Print } from "./command.ts";
import { readOwnPackage } from "./own-package.ts";

/** Exit code for a command line that is not understood, as shells have it. */
const USAGE_ERROR = 2;

/**
 * Finds the command and runs it.
 * @param args the command line without node and the script
 * @returns the exit code; errors are printed, never thrown
 */
export async function runCli(
  commands: readonly Command[],
  args: readonly string[],
  print: Print,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v" || name === "version") {
    print((await readOwnPackage()).version);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const asked = name === undefined || name === "--help" || name === "-h" || name === "help";
    if (!asked) print(`opencode-gaia has no command "${name}".${didYouMean(name, commands)}\n`);
    print(renderHelp(commands));
    return asked ? 0 : USAGE_ERROR;
  }
  try {
    return await command.run(rest, print);
  } catch (error) {
    print(`opencode-gaia ${command.name}: ${describeError(error)}`);
    return 1;
  }
}

function didYouMean(name: string, commands: readonly Command[]): string {
  const near = nearestName(
    name,
    commands.map((each) => each.name),
  );
  return near === undefined ? "" : ` Did you mean "${near}"?`;
}

function renderHelp(commands: readonly Command[]): string {
  const width = Math.max(...commands.map(({ name }) => name.length));
  return [
    "opencode-gaia <command> [options]",
    "",
    ...commands.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`),
    "",
    "opencode-gaia <command> --help tells more about one, opencode-gaia --version which this is.",
  ].join("\n");
}
