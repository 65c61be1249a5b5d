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

/** @param at the zero-based line that it is about, if any */
export function refuseChange(error: string, hint: string, at?: number): Refusal {
  return { ok: false, error, hint, ...(at === undefined ? {} : { line: at + 1 }) };
}

/** What makes any document unsafe to write to, whatever it holds: conflicts, and a block that would swallow additions. */
export function refuseBroken(document: MarkdownDocument): Refusal | null {
  const conflict = findConflict(document);
  if (conflict !== -1) {
    return refuseChange("unresolved merge conflict.", "Resolve it, then try again.", conflict);
  }
  if (document.unclosed === null) return null;
  const { line, what, closer } = document.unclosed;
  return refuseChange(`this ${what} is never closed.`, `Close it with ${closer}.`, line);
}

/** Where a row stands apart from its table, by prose or a broken header between: no reader would count it. */
export function refuseStrayRow(document: MarkdownDocument, header: string): Refusal | null {
  for (const { kind, start, end } of document.blocks) {
    if (kind !== "text") continue;
    const at = document.lines.slice(start, end).findIndex(({ text }) => /^ {0,3}\|/.test(text));
    if (at === -1) continue;
    const hint = `Put it directly under the rows below ${header}.`;
    return refuseChange("a table row outside of its table.", hint, start + at);
  }
  return null;
}
