import type { Power } from "../../trust/power.ts";
import type { Part } from "../part.ts";

/** What the user was shown when they asked to be asked: only this can be granted in the conversation. */
export function createTrustOffer() {
  let offered: readonly Power[] | null = null;
  let isTold = false;
  return {
    /** The user typed the command, and these are on the screen. */
    put(powers: readonly Power[]): void {
      offered = powers;
    },
    /** What is to be asked about, once; null when the user has not asked for it, or has said something else since. */
    take(): readonly Power[] | null {
      const taken = offered;
      offered = null;
      return taken;
    },
    /** Whether this conversation has not been told yet what is not trusted; each first call says so. */
    isFirst(): boolean {
      const isFirst = !isTold;
      isTold = true;
      return isFirst;
    },
    userSpoke() {
      offered = null;
    },
  } satisfies Part & Record<string, unknown>;
}
