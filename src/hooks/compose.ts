import { describeError, type Logger } from "../lib/error.ts";
import { Denial, type HookDefinition, type HookHandlers } from "../host/hook-events.ts";

/** One function per event, which runs its hooks in list order. One that fails open is logged; one that fails closed denies. */
export function composeHooks(definitions: readonly HookDefinition[], logger: Logger): HookHandlers {
  const events = [...new Set(definitions.map(({ event }) => event))];
  const composed = events.map((event) => {
    const chain = definitions.filter((definition) => definition.event === event);
    return [event, async (payload: unknown) => runChain(chain, payload, logger)] as const;
  });
  return Object.fromEntries(composed);
}

async function runChain(chain: readonly HookDefinition[], payload: unknown, logger: Logger): Promise<void> {
  for (const hook of chain) {
    try {
      await hook.run(payload as never);
    } catch (error) {
      if (error instanceof Denial) throw error;
      logger.log("error", hook.id, describeError(error));
      if (hook.onFailure === "closed") {
        throw new Denial(`Refused: ${hook.id} could not decide (${describeError(error)}).`);
      }
    }
  }
}
