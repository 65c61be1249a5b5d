/**
 * OpenCode's own matching of permissions: `*` is any text, `?` any one character, and ` *` at the end may be missing.
 * Tries no stretch of the text twice for an earlier `*`, so the time is at most the product of both lengths.
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  if (pattern.endsWith(" *") && matchesWhole(text, pattern.slice(0, -2))) return true;
  return matchesWhole(text, pattern);
}

function matchesWhole(text: string, pattern: string): boolean {
  let at = 0;
  let star = -1;
  let from = 0;
  for (let index = 0; index < text.length;) {
    if (pattern[at] === "*") {
      star = at++;
      from = index;
    } else if (at < pattern.length && (pattern[at] === "?" || pattern[at] === text[index])) {
      at++;
      index++;
    } else {
      if (star === -1) return false;
      at = star + 1;
      index = ++from;
    }
  }
  while (pattern[at] === "*") at++;
  return at === pattern.length;
}
