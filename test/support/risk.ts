import type { Effect } from "../../src/policy/examination.ts";

/** How much a command may do, without what it does: most of the corpus tells no more. */
export type Risk = "read-only" | "mutating" | "dangerous";

/** What an effect amounts to. */
export function riskOf({ effect }: { readonly effect: Effect }): Risk {
  if (effect === "read") return "read-only";
  return effect === "forbidden" ? "dangerous" : "mutating";
}
