/** No line of the demo is longer, in characters. */
export const WIDTH = 96;

/** Breaks text into lines of at most `width` characters between words; a longer word stands alone, and is not cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/).filter(Boolean)) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === "" ? word : `${line} ${word}`;
    }
  }
  return line === "" ? lines : [...lines, line];
}

/** `text` cut to `width`, with an ellipsis when something is missing. Spaces inside it stay, unlike in `excerpt`. */
export function clip(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1).trimEnd()}…`;
}

/** A heading over a part of the tour. */
export function rule(title: string): string {
  return `── ${title} ${"─".repeat(Math.max(3, WIDTH - title.length - 4))}`;
}

/** Milliseconds as seconds with one decimal, or as minutes when it is long. */
export function duration(ms: number): string {
  if (ms < 100_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
