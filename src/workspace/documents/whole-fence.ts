import { parseMarkdown } from "../markdown/document.ts";
import { readTasks } from "./plan-tasks.ts";

const FENCED = /^(`{3,}|~{3,})[ \t]*(?:md|markdown)?[ \t]*\r?\n(.*)\r?\n\1[`~]*$/is;

/** A plan that stands as a whole within one code fence, as models hand it over, without the fence; any other as it is. */
export function withoutWholeFence(markdown: string): string {
  const inside = FENCED.exec(markdown.trim())?.[2];
  if (inside === undefined || readTasks(parseMarkdown(markdown)).length > 0) return markdown;
  const document = parseMarkdown(inside);
  return document.unclosed === null && readTasks(document).length > 0 ? inside : markdown;
}
