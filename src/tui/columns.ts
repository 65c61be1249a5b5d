const CHARACTERS = new Intl.Segmenter();
/** What terminals show in two columns: East Asian characters, and pictures. */
const WIDE =
  /^(?:[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|[\u{1B000}-\u{1B2FF}\u{20000}-\u{3FFFD}]|\p{Emoji_Presentation}|\p{Emoji}\uFE0F)/u;

export function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of CHARACTERS.segment(text)) columns += WIDE.test(segment) ? 2 : 1;
  return columns;
}

/** The length of the longest beginning of `text`, in code units, that takes at most so many columns. */
export function lengthWithin(text: string, columns: number): number {
  let left = columns;
  for (const { segment, index } of CHARACTERS.segment(text)) {
    left -= WIDE.test(segment) ? 2 : 1;
    if (left < 0) return index;
  }
  return text.length;
}
