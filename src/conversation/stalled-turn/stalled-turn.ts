import { describeError } from "../../lib/error.ts";
import { renderDuration } from "../../lib/duration.ts";
import type { ConversationCore } from "../core.ts";
import type { Part } from "../part.ts";
import type { ConversationServices } from "../services.ts";
import { tellIdle } from "../turns/tell-idle.ts";

/**
 * Ends a turn of GAIA's in which nothing more is heard of her model (SPEC 2.5): OpenCode asks again whenever a request is
 * cut off, without a bound. What a tool or a dialog takes is not counted, nor a wait that the provider itself has announced.
 */
export function createStalledTurn(
  { rootId, speaker, each }: Pick<ConversationCore, "rootId" | "speaker" | "each">,
  {
    host,
    clock,
    bounds,
    orchestrator,
    turnStallMs,
  }: Pick<ConversationServices, "host" | "clock" | "bounds" | "orchestrator" | "turnStallMs">,
): Part {
  const openCalls = new Set<string>();
  /** Until when nothing needs to be heard, in milliseconds since the epoch. */
  let patientUntil = 0;
  let cancel: (() => void) | null = null;

  const rest = (): void => {
    cancel?.();
    cancel = null;
    openCalls.clear();
  };
  const hear = (): void => {
    patientUntil = clock.now() + turnStallMs;
  };
  const watch = (ms: number): void => {
    cancel = clock.after(ms, () => void look());
  };
  const look = async (): Promise<void> => {
    if (patientUntil <= clock.now()) {
      const mine = cancel;
      // An end that was not told, or told before the last of its calls, would leave one open for ever.
      const { busy } = await host.sessions.look(rootId).catch(() => ({ busy: true }));
      if (cancel !== mine) return;
      if (!busy) return tellIdle({ rootId, each });
      if (openCalls.size > 0) hear();
    }
    const left = patientUntil - clock.now();
    if (left > 0) return watch(left);
    cancel = null;
    // Whom the user speaks with instead is not ours to end.
    if (speaker()?.agent !== orchestrator) return;
    bounds.stop(rootId, `nothing was heard of its model for ${renderDuration(turnStallMs)}`);
    host.sessions.abort(rootId).catch((error: unknown) => {
      host.logger.log("warn", "stalled-turn", describeError(error), { rootId });
    });
  };

  return {
    observe(event, isRoot) {
      if (!isRoot) return;
      switch (event.type) {
        case "session.status":
          if (event.status === "idle") return rest();
          if (cancel !== null) return;
          hear();
          watch(turnStallMs);
          return;
        case "session.retry":
          patientUntil += Math.max(0, event.nextAt - clock.now());
          return;
        case "tool.activity":
          if (event.status === "running") openCalls.add(event.callId);
          else openCalls.delete(event.callId);
          return hear();
        case "text.activity":
        case "text.finished":
        case "message.answered":
        case "message.finished":
          return hear();
        default:
      }
    },
    dispose: rest,
  };
}
