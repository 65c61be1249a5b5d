import { parseMarkdown } from "../markdown/document.ts";
import { sectionsOf } from "../markdown/section.ts";
import type { Change } from "./change.ts";
import { addLines, isTitled, type WorkLine } from "./work-log.ts";

const TITLE = "Approvals";
const LINE = /^- (.*?) · (.+) · `[^`]+`$/;

/** What a person approved without a word more. */
export interface Approval {
  /** As a decision's. */
  readonly date: string;
  /** That of the dialog, without its question mark. */
  readonly question: string;
}

/** Adds what a person approved to the text of a log, one line each: there is no reason to tell, and so no decision to remember. */
export function addApproval(text: string, line: WorkLine, day: string): Change<{ added: number }> {
  return addLines(text, { title: TITLE, lines: [line] }, day);
}

/** What was approved, by a log, oldest first. */
export function approvalsOf(log: string): Approval[] {
  const document = parseMarkdown(log);
  return sectionsOf(document)
    .filter((section) => isTitled(section, TITLE))
    .flatMap(({ start, end }) => document.lines.slice(start, end))
    .flatMap(({ text }) => {
      const [, date, question] = LINE.exec(text) ?? [];
      return date === undefined || question === undefined ? [] : [{ date, question }];
    });
}

/** Whether a heading of a log stands over approvals. */
export function isOverApprovals(heading: string): boolean {
  return heading.endsWith(`— ${TITLE}`);
}
