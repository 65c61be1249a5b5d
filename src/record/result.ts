import { describeError, isGaiaError } from "../lib/error.ts";
import { head } from "../lib/excerpt.ts";
import type { Logger } from "../lib/logger.ts";
import { MAX_REASON } from "../lib/refusal.ts";
import { codeOf, describeSystemProblem } from "./gaia-path.ts";

/** What every operation of the workspace resolves to; it never rejects (SPEC 5). */
export type WorkspaceResult<T> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly error: string; readonly hint: string };

/** Runs an operation and turns whatever it throws into a result with a hint. */
export async function toResult<T extends object>(
  logger: Logger,
  operation: () => Promise<T>,
): Promise<WorkspaceResult<T>> {
  try {
    return { ok: true, ...(await operation()) };
  } catch (error) {
    if (isGaiaError(error)) return { ok: false, error: head(error.message, MAX_REASON), hint: error.hint };
    logger.log("error", "workspace", describeError(error));
    const system = describeSystemProblem(codeOf(error));
    if (system === null)
      return { ok: false, error: head(describeError(error), MAX_REASON), hint: "Nothing was written." };
    const { what, todo } = system;
    return {
      ok: false,
      error: `The record cannot be written: ${what}; ${todo}.`,
      hint: `Nothing was written. ${head(describeError(error), MAX_REASON)}`,
    };
  }
}
