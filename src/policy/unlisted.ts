import type { ParsedScript } from "unbash";
import { globTest } from "./glob.ts";
import { openCodePatterns } from "./open-code-patterns.ts";
import { readOnlyBashRules, type TableAction } from "./read-only-rules.ts";

let rules:
  | readonly { readonly action: TableAction; readonly matches: (command: string) => boolean }[]
  | undefined;

/** Characters beyond which no line is held against the table: the table is long. */
const MAX_LINE = 8_192;
/** Commands of one line that are held against it. */
const MAX_COMMANDS = 100;

/** The first command of a parsed line that OpenCode would refuse by the table; null when it lets all of them pass. */
export function findUnlisted(script: ParsedScript, line: string): string | null {
  if (line.length > MAX_LINE) return line;
  const table = (rules ??= Object.entries(readOnlyBashRules()).map(([pattern, action]) => ({
    action,
    matches: testOf(pattern),
  })));
  const commands = openCodePatterns(script, line);
  if (commands === null || commands.length > MAX_COMMANDS) return line;
  const refused = commands.find(
    (command) => table.findLast(({ matches }) => matches(command))?.action !== "allow",
  );
  return refused ?? null;
}

/** OpenCode's own matching: `*` is any text, `?` one character, ` *` at the end may be missing. */
function testOf(pattern: string): (command: string) => boolean {
  const whole = globTest(pattern, "*?");
  if (!pattern.endsWith(" *")) return whole;
  const bare = globTest(pattern.slice(0, -2), "*?");
  return (command) => whole(command) || bare(command);
}
