import { withoutComments } from "../../lib/without-comments.ts";
import { foreignLine } from "../markdown/foreign-text.ts";
import { parseMarkdown } from "../markdown/document.ts";
import { findPlanSection } from "./plan-sections.ts";

/** One thing that must be true when the goal of a plan is reached. */
export interface PlanCondition {
  /** Its place, from 1. */
  readonly number: number;
  /** As it is written, without its mark. */
  readonly text: string;
  readonly done: boolean;
}

const ITEM = /^ {0,3}(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[([ xX])\][ \t]*)?(\S.*)$/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const MAX_CONDITIONS = 40;

/** The items under Done When; lines that stand by themselves count as items. */
export function readConditions(plan: string): PlanCondition[] {
  const document = parseMarkdown(plan);
  const section = findPlanSection(document, "Done When");
  if (section === null) return [];
  const lines = document.lines.slice(section.start, section.end).map((line) => line.text);
  const text = withoutComments(withoutFences(lines).join("\n"));
  const items = text.split("\n").flatMap((line) => {
    const [, mark, item] = ITEM.exec(line) ?? [];
    if (item !== undefined) return [{ text: item, done: mark === "x" || mark === "X" }];
    return /^\S/.test(line) && !line.startsWith("#") ? [{ text: line, done: false }] : [];
  });
  return items
    .slice(0, MAX_CONDITIONS)
    .map(({ text: item, done }, index) => ({ number: index + 1, text: foreignLine(item), done }));
}

/** Lines with those of a code block as commands, an item each. */
function withoutFences(lines: readonly string[]): string[] {
  let fence = "";
  return lines.flatMap((line) => {
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (mark !== "" && (fence === "" || mark.startsWith(fence))) {
      fence = fence === "" ? mark : "";
      return [];
    }
    if (fence === "") return [line];
    const command = line.replace(/^\s*\$\s+/, "").trim();
    return command === "" || command.startsWith("#") ? [] : [`- \`${command}\``];
  });
}
