import type { ModelId } from "../host/port.ts";
import type { Clock } from "../lib/clock.ts";
import { coolsProvider, type FailureClass } from "./failure.ts";
import { providerOf } from "./queue.ts";

/** How long a provider that failed is skipped at least, in milliseconds. */
const COOL_DOWN_MS = 120_000;

/** Remembers which providers failed a short while ago (SPEC 6). */
export type Cooldowns = ReturnType<typeof createCooldowns>;

export function createCooldowns(clock: Clock) {
  const until = new Map<string, number>();
  return {
    /** @param answersAt when it says that it answers again, if that is later */
    record(model: ModelId | null, failure: FailureClass, answersAt = 0): void {
      if (model === null || !coolsProvider(failure)) return;
      until.set(providerOf(model), Math.max(answersAt, clock.now() + COOL_DOWN_MS));
    },
    isCooling: (provider: string): boolean => (until.get(provider) ?? 0) > clock.now(),
  };
}
