/**
 * Puts marks behind the numbers of the lines that OpenCode's reading of a file shows, `12: text`; what it says around them
 * stays as it is. @param markOf what stands behind the number of a line; null for nothing
 */
export function markLines(output: string, markOf: (line: number, text: string) => string | null): string {
  const opening = "<type>file</type>\n<content>\n";
  const start = output.indexOf(opening);
  if (start === -1) return output;
  const from = start + opening.length;
  // A line of the file never begins so: its number comes first.
  const end = output.indexOf("\n</content>", from - 1);
  const shown = output.slice(from, end === -1 ? undefined : end).split("\n");
  let last = 0;
  const marked = shown.map((row) => {
    const [head = "", number = ""] = /^(\d+): /u.exec(row) ?? [];
    const line = Number(number);
    if (head === "" || line <= last) return row;
    last = line;
    const text = row.slice(head.length);
    const mark = markOf(line, text);
    return mark === null ? row : `${number}${mark}: ${text}`;
  });
  return output.slice(0, from) + marked.join("\n") + (end === -1 ? "" : output.slice(end));
}
