import { parseMarkdown, renderMarkdown, type Markdown } from "../../lib/markdown.ts";

/** Why a document was left as it is. `line` is one-based. */
export interface Unchanged {
  readonly ok: false;
  readonly line?: number;
  readonly error: string;
  readonly hint: string;
}

/** What an operation makes of a document's text. */
export type Updated<T> = { readonly ok: true; readonly text: string; readonly result: T } | Unchanged;

/** A line that people wrote otherwise than the document's format: it stays as it is, and is not read. `line` is one-based. */
export interface Unread {
  readonly line: number;
  readonly error: string;
  readonly hint: string;
}

/** @param at the zero-based line that it is about, if any */
export function refuseChange(error: string, hint: string, at?: number): Unchanged {
  return { ok: false, error, hint, ...(at === undefined ? {} : { line: at + 1 }) };
}

/** What makes any document unsafe to write to, whatever it holds: conflicts, and a block that would swallow additions. */
export function refuseBroken({ lines, kinds, unclosed }: Markdown): Unchanged | null {
  const conflict = lines.findIndex(
    ({ text }, at) => text.startsWith("<".repeat(7)) && kinds[at] !== "code" && kinds[at] !== "comment",
  );
  if (conflict !== -1)
    return refuseChange("unresolved merge conflict.", "Resolve it, then try again.", conflict);
  if (unclosed === null) return null;
  const what = unclosed.closer === "-->" ? "HTML comment" : "code fence";
  return refuseChange(`this ${what} is never closed.`, `Close it with ${unclosed.closer}.`, unclosed.line);
}

/** Changes a document that can be written to. */
export function changeMarkdown<T>(
  text: string,
  change: (document: Markdown) => Unchanged | readonly [changed: Markdown, result: T],
): Updated<T> {
  const document = parseMarkdown(text);
  const changed = refuseBroken(document) ?? change(document);
  if ("ok" in changed) return changed;
  return { ok: true, text: renderMarkdown(changed[0]), result: changed[1] };
}
