import type { MarkdownDocument } from "../markdown/document.ts";
import { findConflict } from "../markdown/foreign-text.ts";

/** Why a document was left as it is. `line` is one-based. */
export interface Refusal {
  readonly ok: false;
  readonly line?: number;
  readonly error: string;
  readonly hint: string;
}

/** What an operation makes of a document's text. */
export type Change<T> = { readonly ok: true; readonly text: string; readonly result: T } | Refusal;

/** Refuses with a zero-based line number. */
export function refuseAt(at: number, error: string, hint: string): Refusal {
  return { ok: false, line: at + 1, error, hint };
}

/** What makes any document unsafe to write to, whatever it holds: conflicts, and a block that would swallow additions. */
export function refuseBroken(document: MarkdownDocument): Refusal | null {
  const conflict = findConflict(document);
  if (conflict !== -1) {
    return refuseAt(conflict, "unresolved merge conflict.", "Resolve it, then try again.");
  }
  const { unclosed } = document;
  if (unclosed === null) return null;
  return refuseAt(
    unclosed.line,
    `this ${unclosed.what} is never closed.`,
    `Close it with ${unclosed.closer}.`,
  );
}
