import { head } from "./excerpt.ts";

/** Characters of a reason: it may quote an argument, and OpenCode cuts long results in the middle of their JSON. */
export const MAX_REASON = 4_000;

/** A step that is not taken: why, and what would be allowed instead. Both are for the model. */
export interface Refusal {
  readonly kind: "refused";
  readonly reason: string;
  /** "" where the reason says it all. */
  readonly hint: string;
  /** What the model needs beside the words; these keys end the result. */
  readonly details?: object;
}

export function refuse(reason: string, hint = "", details?: object): Refusal {
  return {
    kind: "refused",
    reason: head(reason, MAX_REASON),
    hint,
    ...(details === undefined ? {} : { details }),
  };
}

/** Tells a refusal from the result of a step that was taken. */
export function isRefusal(result: object): result is Refusal {
  return "kind" in result && result.kind === "refused";
}

/** The words of a refusal as one text. */
function messageOf({ reason, hint }: Refusal): string {
  return hint === "" ? reason : `${reason} ${hint}`;
}

/** A refusal the way a delegation that failed reads (SPEC 5). */
export function renderAsTask(refusal: Refusal): { status: "failed"; message: string } {
  return { status: "failed", message: messageOf(refusal), ...refusal.details };
}

/** A refusal the way an operation of the record that was not done reads (SPEC 5). */
export function renderAsOperation({ reason, hint, details }: Refusal): object {
  return { ok: false, error: reason, ...(hint === "" ? {} : { hint }), ...details };
}
