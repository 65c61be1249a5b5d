/** Brace words longer than this are left to the caller as unknown. */
const MAX_WORDS = 64;

/** Splits the inside of a brace group at its top-level commas. */
function alternatives(inside: string): string[] {
  const found: string[] = [];
  let depth = 0;
  let from = 0;
  for (let index = 0; index < inside.length; index++) {
    const char = inside[index];
    if (char === "{") depth++;
    else if (char === "}") depth--;
    else if (char === "," && depth === 0) {
      found.push(inside.slice(from, index));
      from = index + 1;
    }
  }
  found.push(inside.slice(from));
  return found;
}

/** The numbers or letters of `1..5` or `a..e`, undefined for what is no plain sequence or a long one. */
function sequence(inside: string): string[] | undefined {
  const match = /^(-?(?:0|[1-9]\d{0,5})|[a-z])\.\.(-?(?:0|[1-9]\d{0,5})|[a-z])$/iu.exec(inside);
  const [low, high] = [match?.[1], match?.[2]];
  if (low === undefined || high === undefined) return undefined;
  const letters = /^[a-z]$/iu.test(low) && /^[a-z]$/iu.test(high);
  if (!letters && !(/\d/u.test(low) && /\d/u.test(high))) return undefined;
  const [from, to] = letters ? [low.charCodeAt(0), high.charCodeAt(0)] : [Number(low), Number(high)];
  if (Math.abs(to - from) >= MAX_WORDS) return undefined;
  const step = from <= to ? 1 : -1;
  return Array.from({ length: Math.abs(to - from) + 1 }, (_, index) => {
    const value = from + index * step;
    return letters ? String.fromCharCode(value) : String(value);
  });
}

function endOfGroup(text: string, open: number): number {
  let depth = 0;
  for (let index = open; index < text.length; index++) {
    if (text[index] === "{") depth++;
    else if (text[index] === "}" && --depth === 0) return index;
  }
  return -1;
}

/**
 * The words that bash makes of a brace expansion without quotes or expansions inside.
 * @param depth how deep the caller already is; five levels of nesting are followed
 * @returns undefined when it is too large, too deep or not understood, so that the caller treats it as unknown
 */
export function expandBraces(text: string, depth = 0): string[] | undefined {
  if (/["'\\$`]/u.test(text) || depth > 5) return undefined;
  const open = text.indexOf("{");
  if (open === -1) return [text];
  const close = endOfGroup(text, open);
  if (close === -1) return undefined;
  const inside = text.slice(open + 1, close);
  const items = alternatives(inside);
  const choices = items.length > 1 ? items : sequence(inside);
  if (choices === undefined) return undefined;
  const words: string[] = [];
  for (const choice of choices) {
    const expanded = expandBraces(text.slice(0, open) + choice + text.slice(close + 1), depth + 1);
    if (expanded === undefined || words.length + expanded.length > MAX_WORDS) return undefined;
    words.push(...expanded);
  }
  return words;
}
