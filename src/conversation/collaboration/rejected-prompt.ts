import { REJECTED } from "../display/metadata-keys.ts";

/** What the prompt begins with after a rejection without a reason. @param what was asked for */
export function promptForReason(what: string): string {
  return `Rejected ${what} because: `;
}

/** The prompt that {@link promptForReason} began, with what the user wrote behind it; null for any other. Pure. */
export function readRejected(text: string): { readonly what: string; readonly words: string } | null {
  const [begins = "", what] = REJECTED.exec(text.trim()) ?? [];
  return what === undefined ? null : { what, words: text.trim().slice(begins.length) };
}
