import { createInterface } from "node:readline/promises";
import { parseArgs, type ParseArgsConfig } from "node:util";
import { nearestName } from "../lib/nearest-name.ts";
import { createError, describeError, isGaiaError } from "../lib/error.ts";
import { readText } from "../lib/read-source.ts";
import { firstSentence } from "../lib/text.ts";
import { templatePath } from "../record/templates.ts";
import { readOwnPackage } from "./own-package.ts";

/** One command of the CLI; adding another is one folder and one line in the registry. */
export interface Command {
  readonly name: string;
  /** One line for `opencode-gaia --help`; what `--help` says behind its name stands in `templates/cli/`. */
  readonly summary: string;
  /**
   * @param args what stands after the command's name
   * @returns the exit code
   * @throws GaiaError for what a user can put right; the CLI prints it and exits with 1, or with 2 for {@link misuse}
   */
  run(args: readonly string[], surroundings: CommandScene): Promise<number>;
}

export interface CommandScene {
  readonly print: Print;
  readonly from: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly confirm: Confirm;
}

export type Print = (text: string) => void;

/** Exit code for a command line that is not understood, as shells have it. */
const USAGE_ERROR = 2;
const MISUSED = "usage";

/**
 * Finds the command and runs it.
 * @param args the command line without node and the script
 * @param tell is given what is wrong with it
 * @returns the exit code; errors are printed, never thrown
 */
export async function runCli(
  commands: readonly Command[],
  args: readonly string[],
  print: Print,
  tell: Print = print,
): Promise<number> {
  const [name, ...rest] = args;
  if (name === "--version" || name === "-v" || name === "version") {
    print((await readOwnPackage()).version);
    return 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (command === undefined) {
    const asked = name === undefined || name === "--help" || name === "-h" || name === "help";
    const names = commands.map((each) => each.name);
    const near = asked ? undefined : nearestName(name, names);
    const meant = near === undefined ? "" : ` Did you mean "${near}"?`;
    if (!asked) tell(`opencode-gaia has no command "${name}".${meant}\n`);
    (asked ? print : tell)(renderHelp(commands));
    return asked ? 0 : USAGE_ERROR;
  }
  try {
    if (rest.includes("--help") || rest.includes("-h")) {
      print((await readText(templatePath("cli", `${command.name}.txt`))).trimEnd());
      return 0;
    }
    return await command.run(rest, {
      print,
      from: process.cwd(),
      environment: process.env,
      confirm: confirmAtTerminal,
    });
  } catch (error) {
    tell(`opencode-gaia ${command.name}: ${describeError(error)}`);
    return isGaiaError(error) && error.unit === MISUSED ? USAGE_ERROR : 1;
  }
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

type Options = NonNullable<ParseArgsConfig["options"]>;
type Given<T extends Options> = ReturnType<typeof parseArgs<{ options: T }>>["values"];

interface CommandSpec<T extends Options> extends Omit<Command, "run"> {
  readonly options: T;
  /** How many words it takes between the options; none by default. */
  readonly words?: number;
  run(given: Given<T>, scene: CommandScene, words: readonly string[]): Promise<number>;
}

/** Makes a command that refuses options and words which it does not take. */
export function defineCommand<const T extends Options>({ run, ...spec }: CommandSpec<T>): Command {
  const { name, options, words = 0 } = spec;
  return {
    ...spec,
    async run(args, scene) {
      const { values, positionals } = readLine(name, args, options, words);
      return run(values, scene, positionals);
    },
  };
}

function readLine<T extends Options>(name: string, args: readonly string[], options: T, words: number) {
  try {
    const line = parseArgs({ args: [...args], options, allowPositionals: words > 0 });
    const [extra] = line.positionals.slice(words);
    if (extra === undefined) return line;
  } catch (error) {
    // What Node says behind its first sentence is about arguments that nothing here takes.
    throw misuse(name, `${firstSentence(describeError(error))}.`);
  }
  throw misuse(name, `There is no "${args.join(" ")}".`);
}

/** The error of a command line that is not understood. */
export function misuse(name: string, what: string): Error {
  return createError(MISUSED, what, { hint: `See: opencode-gaia ${name} --help` });
}

/** How a shell reports that Ctrl-C ended a program. */
export const INTERRUPTED = 130;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Runs something that ends when this program is told to; a second signal does not end the program while it cleans up. */
export async function interruptible<T>(run: (interrupt: AbortController) => Promise<T>): Promise<T> {
  const interrupt = new AbortController();
  const stop = (): void => interrupt.abort();
  for (const signal of SIGNALS) process.on(signal, stop);
  try {
    return await run(interrupt);
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop);
  }
}

export type Confirm = (question: string) => Promise<boolean>;

/** Only a person at a terminal can say yes: what an agent runs has none. */
async function confirmAtTerminal(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stdout.isTTY) {
    throw createError("cli", "Only a person at a terminal can say yes.", {
      hint: "Run the same command in one.",
    });
  }
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return (await terminal.question(question)).trim().toLowerCase() === "yes";
  } finally {
    terminal.close();
  }
}
