import { extractProse } from "./extract.ts";
import { tail } from "../lib/excerpt.ts";

/** What a specialist needs is said in fewer characters than these. */
const MAX_NEEDS = 2_000;
const MAX_LAST_LINES = 4;

const ASKS =
  /\b(?:please (?:tell|confirm|clarify|provide|specify|advise|choose|decide|let me know|share|give|supply)|let me know|which (?:one |of )?(?:\w+ )?(?:should|do you|would you|shall)|(?:should|shall|may|could) i\b|do you want|would you (?:like|prefer)|(?:i |we )?need (?:to know|your|you to|more (?:information|details|context)|clarification|input|access|permission|a decision)|clarif(?:y|ication)|awaiting|waiting for (?:your|the user|a decision|an answer|approval))\b/i;
const CANNOT =
  /\b(?:i|we)(?: (?:cannot|can't|can not|could not|couldn't|am unable|am not able|was unable|was not able|am blocked|am stuck|were unable|do not have|don't have|lack|gave up|give up|had to stop|must stop|stopped)|'m (?:unable|not able|blocked|stuck))\b|\b(?:unable to (?:continue|proceed|go on|complete|finish|do|access|find|run|read|write)|cannot (?:continue|proceed|go on|be (?:done|completed|finished))|(?:is|are|was|were) missing|missing (?:access|permissions?|information|credentials?)|permission denied|not possible|impossible|blocked (?:by|on|until))\b/i;

/**
 * What a specialist asks, or why it says that it cannot go on, in the words around its contract; null where it does neither. An
 * answer without a contract is looked at as a whole, one with a contract at its last line, for it may have thought aloud.
 */
export function readNeeds(text: string, hasContract: boolean): string | null {
  const prose = extractProse(text).replaceAll(/[’´]/g, "'");
  const lines = prose.split("\n").filter((line) => line.trim() !== "");
  const last = lines.slice(hasContract ? -1 : -MAX_LAST_LINES);
  const asks = last.some((line) => /\?["')*_\s]*$/.test(line) || ASKS.test(line));
  // With a contract, why it could not go on stands in there.
  const stops = !hasContract && lines.some((line) => CANNOT.test(line));
  return asks || stops ? tail(prose, MAX_NEEDS) : null;
}
