import type { Hooks } from "@opencode-ai/plugin";
import { Denial, type HookDefinition } from "../host/hook.ts";
import { describeError } from "../lib/error.ts";
import type { Logger } from "../lib/logger.ts";

type Handler = (input: unknown, output: unknown) => Promise<void>;

/**
 * Turns the list of hooks into OpenCode's form: one function per event that runs its hooks one after the other, in
 * list order. A hook that fails open is logged; one that fails closed ends the chain with a denial.
 */
export function composeHooks(definitions: readonly HookDefinition[], logger: Logger): Hooks {
  const events = [...new Set(definitions.map(({ event }) => event))];
  const composed = events.map((event): [string, Handler] => {
    const chain = definitions.filter((definition) => definition.event === event);
    return [event, async (input, output) => runChain(chain, input, output, logger)];
  });
  return Object.fromEntries(composed) as Hooks;
}

async function runChain(
  chain: readonly HookDefinition[],
  input: unknown,
  output: unknown,
  logger: Logger,
): Promise<void> {
  for (const hook of chain) {
    try {
      await hook.run(input as never, output as never);
    } catch (error) {
      if (error instanceof Denial) throw error;
      logger.log("error", hook.id, describeError(error));
      if (hook.onFailure === "closed") {
        throw new Denial(`Refused: ${hook.id} could not decide (${describeError(error)}).`);
      }
    }
  }
}
