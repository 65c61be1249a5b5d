/** One command of the CLI; adding another is one folder and one line in the registry. */
export interface Command {
  readonly name: string;
  /** One line for `opencode-gaia --help`. */
  readonly summary: string;
  /**
   * Runs it.
   * @param args what stands after the command's name
   * @returns the exit code
   * @throws GaiaError for what a user can put right; the CLI prints it and exits with 1
   */
  run(args: readonly string[], print: Print): Promise<number>;
}

/** Writes one line, or several, to the terminal. */
export type Print = (text: string) => void;
