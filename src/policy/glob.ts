const MEANINGS: Readonly<Record<string, string>> = {
  "/**": "(?:/.*)?",
  "**/": "(?:.*/)?",
  "**": ".*",
  "*": "[^/]*",
  ".": "\\.",
  "{": "(?:",
  ",": "|",
  "}": ")",
};

/**
 * Matches paths by patterns of this plugin's own, one a line, wherever they begin in a path; behind `/` only at its start.
 * `*` stays within a name, `/**` is a folder and all in it, `{a,b}` either; the rest is as in expressions.
 */
export function pathExpression(globs: string): RegExp {
  const sources = globs
    .trim()
    .split(/\s*\n\s*/u)
    .map((glob) => {
      const start = glob.startsWith("/") ? "^" : "(?:^|/)";
      return start + glob.replaceAll(/\/\*\*(?!\/)|\*\*\/?|[*.{,}]/gu, (sign) => MEANINGS[sign] ?? sign);
    });
  return new RegExp(`(?:${sources.join("|")})$`, "su");
}
