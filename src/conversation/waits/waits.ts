import type { Part } from "../part.ts";

/** What GAIA is told of what goes on without her, once the user has written. */
export const HEARD =
  "The user has written: see to that now. This goes on in the background and its report comes by itself; collect_results with cancel stops it.";

/** Calls for whose end GAIA waits, and that go on without her once the user writes: they are answered within seconds. */
export interface Waits extends Part {
  /**
   * She begins to wait.
   * @param letGo called once, when the user has written since; never after the end @returns what ends it
   */
  begin(letGo: () => void): () => void;
}

interface Wait {
  isSpoken: boolean;
  readonly letGo: () => void;
}

export function createWaits(): Waits {
  const waits = new Set<Wait>();
  return {
    begin(letGo) {
      const wait = { isSpoken: false, letGo };
      waits.add(wait);
      return () => void waits.delete(wait);
    },
    userSpoke(how) {
      if (how === "message") for (const wait of waits) wait.isSpoken = true;
    },
    observe(event, isRoot) {
      // Their words are heard before OpenCode has them, and without them GAIA would not know what to answer.
      if (!isRoot || event.type !== "text.activity") return;
      for (const wait of waits) {
        if (!wait.isSpoken) continue;
        waits.delete(wait);
        wait.letGo();
      }
    },
  };
}
