import type { CheckReport } from "../definition-of-done/report.ts";
import { isWithin, signatureOf } from "../excerpt/signature.ts";

/** How a check failed, see {@link signatureOf}; of one that did not come to its end, as far as what is kept tells. */
export function failureSignature({
  signature,
  output_tail,
}: Pick<CheckReport, "signature" | "output_tail">): readonly string[] {
  return signature ?? signatureOf(output_tail);
}

type Failure = Pick<CheckReport, "status" | "exit_code"> & { readonly signature: readonly string[] };

/** Whether a check fails as it did before: nothing of what it says now is new. Fewer failures are no new one. */
export function isSameFailure(before: Failure, now: Failure): boolean {
  if (before.status !== now.status) return false;
  if (before.signature.length === 0 || now.signature.length === 0)
    return before.signature.length === now.signature.length && before.exit_code === now.exit_code;
  return isWithin(now.signature, before.signature);
}
