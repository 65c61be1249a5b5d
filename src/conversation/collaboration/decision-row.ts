import type { DecisionRow } from "./effects.ts";
import type { CollaborationState } from "./state.ts";

/** A row for the record that was decided now, in the current work unit unless it says otherwise. */
export function rowNow(
  { at, workUnit }: CollaborationState,
  about: Omit<DecisionRow, "at" | "workUnit"> & { readonly workUnit?: string },
): DecisionRow {
  return { at, workUnit, ...about };
}
