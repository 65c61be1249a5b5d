import { createHash } from "node:crypto";
import { parseMarkdown } from "../markdown/document.ts";
import { sectionsOf } from "../markdown/section.ts";
import type { Change } from "./change.ts";
import { addLines, isTitled } from "./work-log.ts";

/** What reviewers noted and nobody fixed, as a section of the unit's log. */
const TITLE = "Noted in reviews, not fixed";
const MARK = / · `note-[0-9a-f]{10}`$/;

/** A reviewer's note, free of secrets. */
export interface DebtNote {
  /** `path:line`, or empty. */
  readonly place: string;
  readonly text: string;
  readonly by: string;
}

/** Adds to a log what is not noted there yet: the same words about the same file are one note, wherever its lines have gone. */
export function addDebt(text: string, notes: readonly DebtNote[], day: string): Change<{ added: number }> {
  const lines = notes.map((note) => ({ id: idOf(note), text: render(note) }));
  const unique = lines.filter(({ id }, at) => lines.findIndex((each) => each.id === id) === at);
  return addLines(text, { title: TITLE, lines: unique }, day);
}

/** What is noted in a log, oldest first; a line that a person struck out is not. */
export function debtOf(log: string): string[] {
  const document = parseMarkdown(log);
  return sectionsOf(document)
    .filter((section) => isTitled(section, TITLE))
    .flatMap(({ start, end }) => document.lines.slice(start, end))
    .filter(({ text }) => MARK.test(text))
    .map(({ text }) => text.replace(/^- /, "").replace(MARK, ""));
}

function render({ place, text, by }: DebtNote): string {
  return `${place === "" || text.includes(place) ? "" : `${place}: `}${text} (${by})`;
}

function idOf({ place, text }: DebtNote): string {
  const path = place.replace(/:\d+(?::\d+)?$/, "");
  const words = text
    .toLowerCase()
    .replaceAll(/:\d+/g, "")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
  return `note-${createHash("sha256").update(`${path}\n${words}`).digest("hex").slice(0, 10)}`;
}
