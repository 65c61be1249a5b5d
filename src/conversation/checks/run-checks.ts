import { renderLogMarkdown, renderPacketLines } from "../../checks/definition-of-done/render.ts";
import type { Verification, Verifier, VerifyOptions } from "../../checks/verifier.ts";
import type { Conversation } from "../conversation.ts";

/** One run of the project's checks. */
export interface CheckRun extends VerifyOptions {
  /** Where its result is shown and counts; null outside of GAIA's conversations. */
  readonly conversation: Conversation | null;
  readonly rootId: string;
  /** The work unit that is proven by it. */
  readonly unit: string | null;
}

/**
 * Runs the Definition of Done with everything that follows: the entry in the unit's log and, where GAIA asked for it, the
 * lines of the next check-in and the end of the pipeline when nothing moves any more (SPEC 11).
 */
export async function runChecks(
  verifier: Verifier,
  { conversation, rootId, unit, ...options }: CheckRun,
): Promise<Verification> {
  const verification = await verifier.verify(rootId, {
    ...options,
    isLocked: conversation?.state.knobs.mode === "locked",
  });
  if (verification.kind !== "ran" || conversation === null) return verification;
  const { report, next } = verification;
  const isHers = options.by === "gaia";
  if (isHers || !report.cancelled) await conversation.log("Verification", renderLogMarkdown(report), unit);
  if (!isHers) return verification;
  const lines = renderPacketLines(report);
  conversation.dispatch({ type: "checks-ran", checks: { passed: report.passed, lines } });
  if (next.kind === "blocked" && !report.cancelled) {
    conversation.dispatch({ type: "blocked", reason: `${next.reason}.`, nextStep: next.nextStep });
  }
  return verification;
}
