import { limitedUntil, type Task } from "../../delegation/task.ts";
import { clockTime } from "../../lib/duration.ts";
import type { ConversationCore } from "../core.ts";
import type { ConversationServices } from "../services.ts";

/** How soon at least it is looked at again, in milliseconds: timers do not reach far. */
const MAX_WAIT_MS = 3_600_000;

/** Shows in the panel which specialists failed at a provider that answers again later, until then or until they have answered. */
export function createLimits(
  conversation: Pick<ConversationCore, "learn">,
  { clock }: Pick<ConversationServices, "clock">,
): { taskChanged(task: Task): void; dispose(): void } {
  const limits = new Map<string, number>();
  let cancel: () => void = () => undefined;

  const show = (): void => {
    cancel();
    cancel = () => undefined;
    const now = clock.now();
    for (const [agent, until] of limits) if (until <= now) limits.delete(agent);
    const lines = [...limits].map(([agent, until]) => `↻ ${agent} limited until ${clockTime(until)}`);
    conversation.learn({ limits: lines.length === 0 ? null : lines.join(", ") });
    if (limits.size > 0)
      cancel = clock.after(Math.min(MAX_WAIT_MS, Math.min(...limits.values()) - now), show);
  };

  return {
    taskChanged({ agent, attempts, outcome }) {
      if (outcome === null) return;
      const until = outcome.status === "failed" ? limitedUntil(attempts) : null;
      const hasAnswered = outcome.status === "completed" || outcome.status === "partial";
      if (until !== null && until > clock.now()) limits.set(agent, until);
      else if (!hasAnswered || !limits.delete(agent)) return;
      show();
    },
    dispose() {
      cancel();
    },
  };
}
