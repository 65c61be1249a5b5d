import { editLines, parseMarkdown, renderMarkdown, type MarkdownDocument } from "../markdown/document.ts";
import { firstBlockFrom, sectionsOf, type Section } from "../markdown/section.ts";
import { linesUnder } from "./plan-tasks.ts";
import { readDetails } from "./task-details.ts";

/** `Task 1: x`, `**Step 2** - x`. */
const HEADED = /^([*_`]*)(?:task|step)[ \t#-]*(\d{1,4})[*_`]*[ \t]*[-.:)–—][*_`]*[ \t]*(\S.*)$/iu;
const BOX = /^(\s*(?:[-*+]|\d{1,9}[.)]))[ \t]+\[[ xX]\]/;
const RULE = /^ {0,3}([-*_])[ \t]*(?:\1[ \t]*){2,}$/;

/**
 * A plan whose tasks are headings (`### Task 1: …`) with their steps as boxes below, as many models write plans, with tasks as
 * items and the steps as their details; any other as it is, also one whose boxes name agents or files and so are the tasks.
 */
export function withHeadedTasks(markdown: string): string {
  const document = parseMarkdown(markdown);
  const headed = sectionsOf(document).filter(({ heading }) => heading.level > 1 && HEADED.test(heading.text));
  let last = 0;
  const tasks = headed.filter(({ start, end }) => {
    if (start < last) return false;
    last = end;
    return true;
  });
  const isWork = document.blocks.some((block) => {
    if (block.kind !== "task") return false;
    const { keyed } = readDetails(linesUnder(document, block).lines);
    return keyed.has("agent") || keyed.has("files");
  });
  if (tasks.length === 0 || isWork || document.unclosed !== null) return markdown;
  const texts: string[] = [];
  let at = tasks[0]?.heading.start ?? 0;
  const begin = at;
  for (const section of tasks) {
    for (; at < section.heading.start; at += 1) texts.push(document.lines[at]?.text ?? "");
    for (const line of asItem(document, section)) texts.push(line);
    at = section.end;
  }
  return renderMarkdown(editLines(document, begin, at - begin, texts));
}

/** The lines of a task with its heading as an item and everything else indented below it. */
function asItem(document: MarkdownDocument, { heading, start, end }: Section): string[] {
  const [, marks = "", number = "", title = ""] = HEADED.exec(heading.text) ?? [];
  const blocks = document.blocks.slice(firstBlockFrom(document, start), firstBlockFrom(document, end));
  const boxes = blocks.filter(({ kind }) => kind === "task");
  const isDone = boxes.length > 0 && boxes.every((box) => box.kind === "task" && box.done);
  const below = blocks.flatMap((block) => {
    const lines = document.lines.slice(block.start, block.end).map(({ text }) => text);
    if (block.kind === "heading") return [`**${block.text}**`];
    if (block.kind === "task") return lines.map((line) => line.replace(BOX, "$1"));
    return block.kind === "text" ? lines.filter((line) => !RULE.test(line)) : lines;
  });
  const indented = below.map((line) => (line.trim() === "" ? line : `  ${line}`));
  return [
    `- [${isDone ? "x" : " "}] ${number}. ${marks === "" ? title : title.replace(/[*_`]+$/, "")}`,
    ...indented,
  ];
}
