import { head } from "../lib/excerpt.ts";
import { parseMarkdown, renderMarkdown } from "../lib/markdown.ts";
import { parsePlan } from "./grammar.ts";
import type { PlanError } from "./task.ts";

const MAX_ERRORS = 30;
const MAX_TOLD = 3_000;
const MAX_FIX = 400;
/** Corrections uncover more, as what stood in a fence. */
const MAX_ROUNDS = 6;

/** A plan with all corrections made that its errors name. */
export function correctPlan(text: string): string {
  const end = text.includes("\r\n") ? "\r\n" : "\n";
  let corrected = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const { errors } = parsePlan(corrected);
    if (errors.length === 0) break;
    const { bom, lines } = parseMarkdown(corrected);
    const edited = [...lines];
    let from = Infinity;
    for (const { line, count, fix } of errors.toReversed()) {
      // Of two that overlap the first is made, the other in the next round.
      if (line - 1 + count > from) continue;
      from = line - 1;
      edited.splice(from, count, ...fix.map((each) => ({ text: each, end })));
    }
    corrected = renderMarkdown({ bom, lines: edited });
  }
  return corrected;
}

/** Errors with line, column and what to write instead, bounded. @param offset what to take from each line */
export function renderErrors(errors: readonly PlanError[], offset = 0): string {
  const told = errors.slice(0, MAX_ERRORS).map(({ line, column, count, message, fix }) => {
    const place = `${line - offset}${count > 1 ? `-${line - offset + count - 1}` : ""}:${column}`;
    const what = fix.length === 0 ? "Remove it." : `Write: ${head(fix.join("\n"), MAX_FIX)}`;
    return `${place} ${message}. ${what}`;
  });
  let room = MAX_TOLD;
  const shown = told.filter((line) => (room -= line.length + 1) >= 0);
  const more = errors.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join("\n");
}
