import { withoutComments } from "./markdown.ts";

/**
 * Markdown as a person reads it where nothing renders it: headings, emphasis, links, tables and comments lose their marks,
 * fenced code is indented. What is indented already stays as it is. Pure.
 */
export function plainText(markdown: string): string {
  let isCode = false;
  const lines = withoutComments(markdown).split("\n");
  const plain = lines.flatMap((line) => {
    if (/^\s*(```|~~~)/.test(line)) {
      isCode = !isCode;
      return [];
    }
    if (isCode) return [`    ${line}`];
    if (/^ {4}/.test(line)) return [line];
    return /^\|[-:| ]+\|$/.test(line) ? [] : [plainLine(line)];
  });
  return plain.join("\n").replaceAll(/\n{3,}/g, "\n\n");
}

/** All of this is bounded, for one line may be as long as a file. */
function plainLine(line: string): string {
  const text = line
    .replace(/^#{1,6} +(.*?):?\s*$/, "$1:")
    .replaceAll(/\*\*(\S(?:.{0,400}?\S)?)\*\*/g, "$1")
    .replaceAll(/\[([^[\]]{1,400})\]\((https?:[^)\s]{1,2000})\)/g, "$1 ($2)");
  if (!/^\|.*\|$/.test(text)) return text;
  const cells = text.slice(1, -1).split(/(?<!\\)\|/);
  return cells
    .map((cell) => cell.trim().replaceAll("\\|", "|"))
    .filter(Boolean)
    .join(" · ");
}
