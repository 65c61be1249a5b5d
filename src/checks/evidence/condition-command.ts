import type { Examination } from "../../policy/examination.ts";

/** The command by which a condition can be shown, and whether its exit code shows all of it. */
export interface ConditionCommand {
  readonly command: string;
  readonly isWhole: boolean;
}

type Examine = (command: string) => Promise<Pick<Examination, "effect" | "isCheck">>;

const SPAN = /`([^`\n]+)`/g;
/** How people say that a command passes. */
const TAIL =
  /\s+(?:(?:exits?|ends?|returns?) (?:with )?(?:(?:exit )?(?:code|status) )?0|(?:reports?|shows?|prints?|finds?|has|gives?) no (?:errors?|warnings?|problems?|issues?|failures?)|(?:still )?(?:pass(?:es)?|succeeds?|works?|runs? clean(?:ly)?)|(?:is|are|stays?) (?:green|clean))(?![\w-])(.*)$/i;
/** That it says something, of which its exit code tells nothing. */
const OUTPUT =
  /^\s+(?:(?:then|still|now|should|must|will|correctly) )?(?:prints?|outputs?|returns?|shows?|says?|logs?|gives?|writes?|lists?|responds?|displays?|produces?|answers?|contains?|mentions?)(?=\s|$).*$/i;
/** The same behind a command that is not set apart, whose arguments may be such words. */
const SAID =
  /\s+(?:prints|outputs|returns|shows|says|logs|gives|writes|lists|responds|displays|produces|answers|contains|mentions)\s+\S/i;
/** That it says nothing, which means something else for one that searches. */
const NOTHING =
  /\b(?:prints?|finds?|returns?|shows?|gives?|has|outputs?|lists?|reports?) (?:nothing|no\b|0\b|zero|empty)|\bis empty\b|\bno (?:match|hit|result|output|line)/i;
const SEARCH = /^(?:git grep|[ef]?grep|rg|ag|ack)\s/;
/** That it does not pass. */
const FAILING =
  /\b(?:does not|doesn't|do not|don't|no longer|never|not|cannot|can't) (?:\w+ )?(?:pass|succeed|work|exit|run|start|compile|build)|(?<!\b(?:not|never|longer|n't) )\bfails?\b(?! before)/i;
/** More is said behind it, or in front of it. */
const MORE_BEHIND =
  /(?:\b(?:and|but|plus|as well as)\b|[;,]\s*\w)(?!\s*(?:\d|(?:is |are )?(?:green|clean|fast|quick)))/i;
const MORE_BEFORE = /\w.*\b(?:and|but|plus)(?: (?:that|also|the command))?\s*$/i;
const RUNNER =
  /^(?:\.{1,2}\/\S+|(?:ba|z)?sh|node|npm|npx|pnpm|yarn|bun|bunx|deno|tsx|python\d?|uv|poetry|ruby|bundle|php|composer|go|cargo|make|just|docker|curl|java|dotnet|swift|mix|test|\[)\s+\S/;
/** What stands in front of a command, and says that it is one. */
const LEAD = /^(?:[$>]|(?:run|running|verify|command|check):?)\s+/i;
/** Words of a sentence, not programs. */
const PLAIN =
  /^(?:tests?|lint|build|checks?|types?|ci|suite|coverage|format(?:ting)?|docs?|typecheck|it|all|everything)$/i;

/**
 * The command by which a condition of a plan can be shown: those in backticks, one after the other, or the item itself without the
 * words that say it passes. Null for a condition in words, and for one that says a command fails.
 */
export async function conditionCommand(text: string, examine: Examine): Promise<ConditionCommand | null> {
  const plain = text.replaceAll("``", "`");
  return plain.includes("`") ? quoted(plain, examine) : bare(text, examine);
}

async function quoted(text: string, examine: Examine): Promise<ConditionCommand | null> {
  const spans = [...text.matchAll(SPAN)].map((match) => ({
    command: match[1]?.trim() ?? "",
    from: match.index,
    to: match.index + match[0].length,
  }));
  const found: typeof spans = [];
  for (const span of spans) if (await isQuotedCommand(span.command, examine)) found.push(span);
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return null;
  const words = text.replaceAll(SPAN, " ");
  const [before, behind] = [text.slice(0, first.from), text.slice(last.to)];
  if (found.length === 1 && SEARCH.test(first.command) && NOTHING.test(words))
    return { command: `! ${first.command}`, isWhole: !MORE_BEFORE.test(before) };
  if (FAILING.test(words)) return null;
  const command = [...new Set(found.map((span) => span.command))].join(" && ");
  const isSaid = isOutput(behind, command);
  const isWhole = !isSaid && !MORE_BEFORE.test(before) && !MORE_BEHIND.test(TAIL.exec(behind)?.[1] ?? "");
  return { command, isWhole };
}

async function bare(text: string, examine: Examine): Promise<ConditionCommand | null> {
  const said = text
    .replace(/[.;]\s*$/, "")
    .replaceAll("**", "")
    .trim();
  const item = said.replace(LEAD, "");
  const ends = item.search(TAIL);
  const says = item.slice(0, ends === -1 ? item.length : ends).search(SAID);
  const cut = says > 0 ? says : ends > 0 ? ends : item.length;
  const candidate = item.slice(0, cut);
  const behind = item.slice(cut);
  if (candidate === "" || PLAIN.test(candidate) || FAILING.test(behind)) return null;
  const { effect, isCheck } = await examine(candidate);
  const isMarked = behind !== "" || item !== said;
  // A word alone, or a sentence, is no command because a program has that name.
  const isCommand = RUNNER.test(candidate) || (effect === "read" && /\s/.test(candidate));
  if (!(isCheck && effect !== "read") && !(isCommand && isMarked)) return null;
  const isWhole = !isOutput(behind, candidate) && !MORE_BEHIND.test(TAIL.exec(behind)?.[1] ?? "");
  return { command: candidate, isWhole };
}

async function isQuotedCommand(command: string, examine: Examine): Promise<boolean> {
  if (command === "") return false;
  const { effect, isCheck } = await examine(command);
  return (isCheck && effect !== "read") || RUNNER.test(command) || (effect === "read" && /\s/.test(command));
}

function isOutput(behind: string, command: string): boolean {
  if (!OUTPUT.test(behind) || behind.search(TAIL) === 0) return false;
  // It fails on any other answer.
  return !(/\b2\d\d\b/.test(behind) && /^curl\s(?:.*\s)?(?:-\w*f|--fail)/.test(command));
}
