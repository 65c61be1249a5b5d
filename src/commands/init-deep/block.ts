/** Between these stands what is written; everything else in the file is people's. */
export const BEGIN = "<!-- gaia:begin -->";
export const END = "<!-- gaia:end -->";

/** The longest an AGENTS.md may become through what is written into it, in lines. */
const MAX_LINES = 200;

/** What becomes of a file, or why it stays as it is. */
export type Written =
  | { readonly ok: true; readonly text: string; readonly left: number }
  | { readonly ok: false; readonly why: string };

/** What may be said of a folder, by heading. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** The number of things that there are to say. */
export function countOf(sections: Sections): number {
  return Object.values(sections).reduce((sum, lines) => sum + lines.length, 0);
}

/** Whether a text holds what was written before. */
export function hasBlock(text: string): boolean {
  return text.includes(BEGIN);
}

/**
 * Puts these sections between the marks of a file, which come to its end where there are none yet; with nothing to say they go.
 * @returns the new text, and how many lines had no room; a file whose marks are not one pair is refused
 */
export function writeBlock(text: string, sections: Sections): Written {
  const [begins, ends] = [text.split(BEGIN).length - 1, text.split(END).length - 1];
  const [from, to] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begins > 1 || begins !== ends || to < from)
    return { ok: false, why: `its marks ${BEGIN} and ${END} are not one pair: put that right by hand` };
  const before = begins === 0 ? text.trimEnd() : text.slice(0, from).trimEnd();
  const after = begins === 0 ? "" : text.slice(to + END.length).trim();
  const room = MAX_LINES - lineCount(before) - lineCount(after) - 4;
  const { lines, left } = fit(sections, room);
  const block = lines.length === 0 ? "" : [BEGIN, ...lines, END].join("\n");
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const whole = [before, block, after].filter((part) => part !== "").join("\n\n");
  return { ok: true, text: whole === "" ? "" : `${whole.replaceAll(/\r?\n/g, eol)}${eol}`, left };
}

function lineCount(text: string): number {
  return text === "" ? 0 : text.split("\n").length + 1;
}

/** As many lines as there is room for, each under its heading. */
function fit(sections: Sections, room: number): { lines: string[]; left: number } {
  const lines: string[] = [];
  let left = 0;
  for (const [heading, texts] of Object.entries(sections)) {
    if (texts.length === 0) continue;
    const shown = texts.slice(0, Math.max(0, room - lines.length - 3));
    left += texts.length - shown.length;
    if (shown.length > 0)
      lines.push(
        ...(lines.length > 0 ? [""] : []),
        `## ${heading}`,
        "",
        ...shown.map((each) => `- ${safe(each)}`),
      );
  }
  return { lines, left };
}

/** On one line, and neither end of a comment in it. */
function safe(text: string): string {
  return text.replaceAll(/\s+/g, " ").replaceAll("<!--", "<! --").replaceAll("-->", "-- >").trim();
}
