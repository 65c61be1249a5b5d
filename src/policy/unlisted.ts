import type { ParsedScript } from "unbash";
import { openCodePatterns } from "./open-code-patterns.ts";
import { readOnlyBashRules, type TableAction } from "./read-only-rules.ts";

let compiled: { action: TableAction; expression: RegExp }[] | undefined;

/** Characters beyond which no line is held against the table: its patterns take time with the square of the length. */
const MAX_LINE = 8_192;

/** The first command of a parsed line that OpenCode would refuse by the table; null when it lets all of them pass. */
export function findUnlisted(script: ParsedScript, line: string): string | null {
  if (line.length > MAX_LINE) return line;
  compiled ??= Object.entries(readOnlyBashRules()).map(([pattern, action]) => ({
    action,
    expression: expressionOf(pattern),
  }));
  const rules = compiled;
  const refused = openCodePatterns(script, line).find(
    (command) => rules.findLast(({ expression }) => expression.test(command))?.action !== "allow",
  );
  return refused ?? null;
}

/** OpenCode's own matching: `*` is any text, `?` one character, ` *` at the end may be missing. */
function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/gu, String.raw`\$&`)
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  return new RegExp(`^${source.replace(/ \.\*$/u, "( .*)?")}$`, "su");
}
