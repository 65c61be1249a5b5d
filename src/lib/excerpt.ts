/** `text` on one line, cut to at most `max` characters with an ellipsis; never in the middle of a surrogate pair. */
export function excerpt(text: string, max: number): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= max) return line;
  return `${line
    .slice(0, max - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}

/** The last `max` characters of `text`, marked when something was cut. For output whose end says most. */
export function tail(text: string, max: number): string {
  if (text.length <= max) return text;
  return `…${text.slice(text.length - max + 1)}`;
}

/** The first `max` characters of `text` as they are, marked when something was cut. */
export function head(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`;
}
