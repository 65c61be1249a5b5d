import { describeError, isGaiaError } from "../lib/error.ts";
import { head } from "../lib/excerpt.ts";
import type { Logger } from "../lib/logger.ts";
import { MAX_REASON } from "../lib/refusal.ts";
import { codeOf } from "./gaia-path.ts";

/** What every operation of the workspace resolves to; it never rejects (SPEC 5). */
export type WorkspaceResult<T> =
  | ({ readonly ok: true } & T)
  | { readonly ok: false; readonly error: string; readonly hint: string };

/** What to do about the errors of the file system that people meet. */
const SYSTEM_HINTS: Readonly<Record<string, string>> = {
  EACCES: "Check the permissions of .gaia/.",
  EPERM: "Check the permissions of .gaia/.",
  EROFS: "The project is on a read-only file system.",
  ENOSPC: "The disk is full.",
  ENOTDIR: "A file stands where .gaia/ needs a folder.",
  EEXIST: "A file stands where .gaia/ needs a folder.",
  EISDIR: "A folder stands where .gaia/ needs a file.",
};

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
    return {
      ok: false,
      error: head(describeError(error), MAX_REASON),
      hint: SYSTEM_HINTS[codeOf(error)] ?? "Nothing was written.",
    };
  }
}
