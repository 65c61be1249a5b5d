import type { ModelId } from "../host/port.ts";
import type { Clock } from "../lib/clock.ts";
import { coolsProvider, type FailureClass } from "./failure.ts";
import { providerOf } from "./queue.ts";

/** How long a provider that failed is skipped, in milliseconds. */
const COOL_DOWN_MS = 120_000;

/** Remembers which providers failed a short while ago (SPEC 6). */
export interface Cooldowns {
  record(model: ModelId | null, failure: FailureClass): void;
  isCooling(provider: string): boolean;
}

export function createCooldowns(clock: Clock): Cooldowns {
  const until = new Map<string, number>();
  return {
    record(model, failure) {
      if (model !== null && coolsProvider(failure)) until.set(providerOf(model), clock.now() + COOL_DOWN_MS);
    },
    isCooling: (provider) => (until.get(provider) ?? 0) > clock.now(),
  };
}
