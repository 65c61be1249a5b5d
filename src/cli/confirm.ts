import { createInterface } from "node:readline/promises";
import { createError } from "../lib/error.ts";

/** Asks a person at a terminal. */
export type Confirm = (question: string) => Promise<boolean>;

/**
 * Only a person at a terminal can say yes: what an agent runs has none.
 * @param command as it is called behind `opencode-gaia`
 * @param what it does, in one word
 */
export function confirmAtTerminal(command: string, what: string): Confirm {
  return async (question) => {
    if (!process.stdin.isTTY || !process.stdout.isTTY) {
      throw createError(command, `Only a person at a terminal can ${what}.`, {
        hint: `Run opencode-gaia ${command} ${what} in one.`,
      });
    }
    const terminal = createInterface({ input: process.stdin, output: process.stdout });
    try {
      return (await terminal.question(question)).trim().toLowerCase() === "yes";
    } finally {
      terminal.close();
    }
  };
}
