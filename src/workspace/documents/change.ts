import type { MarkdownDocument } from "../markdown/document.ts";
import { findConflict } from "../markdown/foreign-text.ts";
import { refuseChange, type Refusal } from "./document.ts";

export { refuseChange, type Change, type Refusal } from "./document.ts";

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
