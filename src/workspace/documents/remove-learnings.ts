import { parseMarkdown, renderMarkdown } from "../markdown/document.ts";
import { refuseBroken, type Change } from "./change.ts";
import { keyOfLearning } from "./learning.ts";
import { parseLearnings } from "./learnings.ts";

/** Takes the lines of these learnings out, in whatever wording and however often a merge left them there. */
export function removeLearnings(text: string, texts: readonly string[]): Change<{ removed: number }> {
  const broken = refuseBroken(parseMarkdown(text));
  if (broken !== null) return broken;
  const keys = new Set(texts.map((each) => keyOfLearning({ kind: "insight", text: each, date: "" })));
  let left = text;
  for (let removed = 0; ; removed += 1) {
    const found = parseLearnings(left).find((learning) => keys.has(keyOfLearning(learning)));
    if (found === undefined) return { ok: true, text: left, result: { removed } };
    const document = parseMarkdown(left);
    left = renderMarkdown({ ...document, lines: document.lines.toSpliced(found.line - 1, 1) });
  }
}
