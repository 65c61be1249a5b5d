import type { Lines, Span } from "./lines.ts";
import { indentOf, isTicked, ITEM } from "./marks.ts";
import type { PlanCondition } from "./task.ts";

const CONDITION = /^- (?:\[([ xX])\] )?([^[\s].*)$/u;
const COMMAND = /^`([^`]+)`(?:$|:(?:\s|$)| - )/u;

/** What stands under Done When. @param error is told of each line that is no condition, with what to write instead */
export function readConditions(
  { raw, seen, fences }: Pick<Lines, "raw" | "seen" | "fences">,
  { start, end }: Span,
  error: (at: number, message: string, fix: readonly string[], until?: number) => void,
): PlanCondition[] {
  const found: PlanCondition[] = [];
  const fenceAt = new Map(fences.map((each) => [each.start, each]));
  for (let at = start; at < end; at += 1) {
    const line = raw[at] ?? "";
    if (line === "" || indentOf(line) > 0 || line.startsWith("#")) continue;
    const fence = seen[at] === null ? fenceAt.get(at) : undefined;
    if (fence !== undefined) {
      const commands = raw.slice(at + 1, fence.end - 1).map((each) => each.replaceAll("`", "").trim());
      const fix = commands.filter(Boolean).map((each) => `- \`${each}\``);
      error(at, "a command stands in backticks: - `command`: text", fix, fence.end);
      at = fence.end - 1;
    }
    if (seen[at] === null) continue;
    const [, box = "", text = ""] = CONDITION.exec(line) ?? [];
    const command = COMMAND.exec(text)?.[1]?.trim() ?? null;
    if (text !== "")
      found.push({ number: found.length + 1, text: text.trim(), done: isTicked(box), command });
    else {
      const [, , , mark = "", shown = "", rest = ""] = ITEM.exec(line) ?? [];
      const bare = (rest.trim() || shown).replaceAll("[", "(");
      const fix = `- ${mark === "" ? "" : isTicked(mark) ? "[x] " : "[ ] "}${bare}`;
      error(at, "a condition is - text, or - `command`: text", bare === "" ? [] : [fix]);
    }
  }
  return found;
}
