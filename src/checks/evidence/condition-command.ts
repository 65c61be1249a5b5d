import type { Examination } from "../../policy/examination.ts";

const SPAN = /`([^`\n]+)`/g;
/** How people say that a command passes. */
const TAIL =
  /\s+(?:(?:exits?|ends?|returns?) (?:with )?(?:code |status )?0|(?:still )?(?:pass(?:es)?|succeeds?|works?|runs? clean(?:ly)?)|(?:is|are|stays?) (?:green|clean))(?:[\s.,;:].*)?$/i;
const RUNNER =
  /^(?:\.{1,2}\/\S+|(?:ba|z)?sh|node|npm|npx|pnpm|yarn|bun|bunx|deno|tsx|python\d?|uv|poetry|ruby|bundle|php|composer|go|cargo|make|just|docker|curl|java|dotnet|swift|mix|test|\[)\s+\S/;

/**
 * The command by which a condition of a plan can be shown: the first one in backticks, or the item itself without the words
 * that say it passes. Null for a condition in words.
 */
export async function conditionCommand(
  text: string,
  examine: (command: string) => Promise<Pick<Examination, "effect" | "isCheck">>,
): Promise<string | null> {
  const spans = [...text.matchAll(SPAN)].map((match) => match[1]?.trim() ?? "");
  const bare = text.replace(/[.;]\s*$/, "").trim();
  const candidates = spans.length > 0 ? spans : [bare.replace(TAIL, ""), bare];
  for (const candidate of candidates) {
    if (candidate === "") continue;
    const { effect, isCheck } = await examine(candidate);
    if (isCheck && effect !== "read") return candidate;
    // A word alone, or a sentence, is no command because a program has that name.
    const isQuoted = spans.length > 0;
    const isCommand = RUNNER.test(candidate) || (effect === "read" && /\s/.test(candidate));
    if (isQuoted ? isCommand : isCommand && candidate !== bare) return candidate;
  }
  return null;
}
