import { renderLogMarkdown, renderPacketLines } from "../../checks/definition-of-done/render.ts";
import type { Verification, Verifier } from "../../checks/verifier.ts";
import type { Conversation } from "../conversation.ts";

/** One run of the project's checks. */
export interface CheckRun {
  /** Where its result is shown and counts; null outside of GAIA's conversations. */
  readonly conversation: Conversation | null;
  readonly rootId: string;
  /** The work unit that is proven by it. */
  readonly unit: string | null;
  readonly scope?: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * Runs the Definition of Done with everything that follows: the entry in the unit's log, the lines of the next check-in,
 * and the end of the pipeline when nothing moves any more (SPEC 11).
 */
export async function runChecks(
  verifier: Verifier,
  { conversation, rootId, unit, scope, signal }: CheckRun,
): Promise<Verification> {
  const verification = await verifier.verify(rootId, { scope, signal });
  if (verification.kind !== "ran" || conversation === null) return verification;
  const { report, next } = verification;
  await conversation.log("Verification", renderLogMarkdown(report), unit);
  const lines = renderPacketLines(report);
  conversation.dispatch({ type: "checks-ran", checks: { passed: report.passed, lines } });
  if (next.kind === "blocked" && !report.cancelled) {
    conversation.dispatch({ type: "blocked", reason: `${next.reason}.`, nextStep: next.nextStep });
  }
  return verification;
}
