import { tail } from "../lib/excerpt.ts";
import { isRecord, recordOf } from "../lib/json.ts";
import type { Answer } from "./contract.ts";
import { extractObjects, extractProse } from "./extract.ts";
import { NO_FAULT, textsOf } from "./verdict/contradiction.ts";

/** What a specialist needs is said in fewer characters than these. */
const MAX_NEEDS = 2_000;
const MAX_LAST_LINES = 4;
const QUESTION = /\?["')*_\s]*$/;

const ASKS =
  /\b(?:please (?:tell|confirm|clarify|provide|specify|advise|choose|decide|let me know|share|give|supply)|let me know|which (?:one |of )?(?:\w+ )?(?:should|do you|would you|shall)|(?:should|shall|may|could) i\b|do you want|would you (?:like|prefer)|(?:i |we )?need (?:to know|your|you to|more (?:information|details|context)|clarification|input|access|permission|a decision)|clarif(?:y|ication)|awaiting|waiting for (?:your|the user|a decision|an answer|approval))\b/i;
const CANNOT =
  /\b(?:i|we)(?: (?:cannot|can't|can not|could not|couldn't|am unable|am not able|was unable|was not able|am blocked|am stuck|were unable|do not have|don't have|lack|gave up|give up|had to stop|must stop|stopped)|'m (?:unable|not able|blocked|stuck))\b|\b(?:unable to (?:continue|proceed|go on|complete|finish|do|access|find|run|read|write)|cannot (?:continue|proceed|go on|be (?:done|completed|finished))|(?:is|are|was|were) missing|missing (?:access|permissions?|information|credentials?)|permission denied|not possible|impossible|blocked (?:by|on|until))\b/i;

/** Names under which models put it in their contract, of which no contract knows. */
const NAMES =
  /^(?:(?:open|my|clarifying|unresolved|pending)?_?questions?(?:_for_(?:the_)?(?:user|gaia))?|needs?(?:_(?:input|clarification|decision|from_(?:user|gaia)))?|clarifications?(?:_needed)?|waiting_for|blocked_by)$/;

/**
 * What a specialist asks, or why it says that it cannot go on, in the words around its contract and in what the contract has no
 * place for; null where it does neither. An answer without a contract, or with one that holds nothing, is looked at as a whole, one
 * with a contract at its last line, for it may have thought aloud.
 * @param answer null for one that fits no contract
 */
export function readNeeds(text: string, answer: Answer | null): string | null {
  const prose = extractProse(text).replaceAll(/[’´]/g, "'");
  const lines = prose.split("\n").filter((line) => line.trim() !== "");
  const isTold = answer !== null && Object.values(answer.data).some(holdsSomething);
  const last = lines.slice(isTold ? -1 : -MAX_LAST_LINES);
  const asks =
    last.some((line) => QUESTION.test(line) || ASKS.test(line)) ||
    (!isTold && lines.some((line) => QUESTION.test(line) && ASKS.test(line)));
  // With a contract, why it could not go on stands in there.
  const stops = answer === null && lines.some((line) => CANNOT.test(line));
  const said = [asks || stops ? prose : "", ...namedNeeds(text, answer)].filter((each) => each !== "");
  return said.length === 0 ? null : tail(said.join("\n"), MAX_NEEDS);
}

function namedNeeds(text: string, answer: Answer | null): string[] {
  const said = extractObjects(text)
    .slice(0, 1)
    .flatMap((object) => [object, recordOf(object["data"])])
    .flatMap((record) => Object.entries(record))
    .filter(([name]) => NAMES.test(name.toLowerCase()) && !(name in (answer?.data ?? {})))
    .flatMap(([, value]) => textsOf(value))
    .filter((each) => !NO_FAULT.test(each));
  return [...new Set(said)];
}

function holdsSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isRecord(value)) return Object.values(value).some(holdsSomething);
  return typeof value === "string" ? value.trim() !== "" : value === true || typeof value === "number";
}
