import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, textOf, type JsonRecord } from "../../lib/json.ts";
import { FOREIGN_VERDICTS, isAboutVerdict, readWords, type Reading } from "./words.ts";

/** A place in an answer that says something of a verdict. */
export interface Finding {
  readonly reading: Reading;
  /** What it says, where that is more than the verdict. */
  readonly words: string;
  readonly reason: string;
  readonly nextStep: string;
}

const MAX_DEPTH = 4;
const MAX_LIST = 200;
/** Longer texts under these names are no verdict, but tell of something. */
const MAX_WEAK = 80;

/** Keys that mean a verdict, without case and separators. */
const STRONG =
  /(?:verdicts?|votes?|outcome|decision|conclusion|ruling|judge?ment|approvalstatus|approval|signoff)$/;
const FOREIGN = new RegExp(`^(?:${FOREIGN_VERDICTS})$`, "iu");
/** Keys that mean one only when their value is about one. */
const WEAK = /^(?:status|result|review|reviewstatus|state|assessment|recommendation|answer|final|summary)$/;
const YES = /^(?:is)?(?:approved?|approves|accepted|lgtm|signedoff)$/;
const NO = /^(?:is)?(?:rejected|rejects?|vetoed|veto|disapproved)$/;
const BLOCKED = /^(?:is)?(?:blocked|blocks)$/;
/** What a contract is wrapped into. */
const WRAPPER = /^(?:data|review|report|result|response|answer|assessment|evaluation|contract|output|final)$/;
/** What makes of words of approval a doubt, outside of the place where a verdict is due. */
const OPPOSED =
  /reject|block|veto|nack|fail|chang|unsafe|refus|declin|den(?:y|ied)|\b(?:not|no|never|without|cannot)\b|n't|\?/i;
const REASONS = [
  "reason",
  "reasons",
  "rationale",
  "explanation",
  "why",
  "message",
  "comment",
  "comments",
  "details",
  "summary",
  "notes",
];
const NEXT_STEPS = ["next_step", "nextStep", "next_steps", "nextSteps", "next", "action", "fix"];

/**
 * Every place in an object that speaks of a verdict: under the usual names, as a word, a sentence, a yes or no, an object or a
 * list, also where the contract was wrapped.
 * @param isBroad false to look only for what is plainly named an outcome or verdict
 */
export function findVerdicts(answer: JsonRecord, isBroad = true): Finding[] {
  return inRecord(answer, { isSlot: false, isBroad, depth: 0 });
}

interface Place {
  /** Whether the object stands where the verdict is due, so that everything in it is about it. */
  readonly isSlot: boolean;
  readonly isBroad: boolean;
  readonly depth: number;
}

function inRecord(record: JsonRecord, place: Place): Finding[] {
  if (place.depth > MAX_DEPTH) return [];
  const about = { reason: wordsAt(record, REASONS), nextStep: wordsAt(record, NEXT_STEPS) };
  return Object.entries(record).flatMap(([name, value]) =>
    atKey(keyOf(name), value, place).map((finding) => ({
      ...finding,
      reason: finding.reason || about.reason,
      nextStep: finding.nextStep || about.nextStep,
    })),
  );
}

/** A key without case and separators. */
function keyOf(name: string): string {
  return FOREIGN.test(name.trim()) ? "verdict" : name.toLowerCase().replaceAll(/[^a-z]/g, "");
}

function atKey(name: string, value: unknown, place: Place): Finding[] {
  const inner = { ...place, depth: place.depth + 1 };
  if (STRONG.test(name)) return inSlot(value, inner);
  if (place.isBroad || place.isSlot) {
    if (YES.test(name) && place.isSlot && typeof value === "number") return [say("doubtful", String(value))];
    if (YES.test(name)) return truth(value, "APPROVE", "REJECT");
    if (NO.test(name)) return truth(value, "REJECT", null);
    if (BLOCKED.test(name)) return truth(value, "BLOCKED", null);
    const isNamed = WEAK.test(name) || (place.isSlot && /^(?:value|type|kind|name|label)$/.test(name));
    if (isNamed && typeof value === "string") return place.isSlot ? inSlot(value, inner) : weak(value);
  }
  return isRecord(value) && (place.isSlot || WRAPPER.test(name)) ? inRecord(value, inner) : [];
}

function inSlot(value: unknown, place: Place): Finding[] {
  if (place.depth > MAX_DEPTH) return [];
  if (typeof value === "boolean") return truth(value, "APPROVE", "REJECT");
  if (Array.isArray(value)) return value.slice(0, MAX_LIST).flatMap((each) => inSlot(each, place));
  if (isRecord(value)) {
    const found = inRecord(value, { ...place, isSlot: true });
    return found.length === 0 && Object.keys(value).length > 0 ? [say(null, "")] : found;
  }
  if (typeof value === "string" && value.trim() !== "") return [say(readWords(value), value)];
  return typeof value === "number" ? [say(null, String(value))] : [];
}

function weak(value: string): Finding[] {
  if (value.length > MAX_WEAK || !isAboutVerdict(value)) return [];
  const reading = readWords(value);
  // What only tells of approvals is about something else here.
  const isAside = reading === "doubtful" && !OPPOSED.test(value);
  return reading === null || isAside ? [] : [say(reading, value)];
}

function truth(value: unknown, yes: Reading, no: Reading): Finding[] {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  // A list of what is not approved may be of parts, or of other things.
  if (no === null && isCounted(value)) return [say("doubtful", excerpt(JSON.stringify(value), MAX_WEAK))];
  if (word === true || word === "true" || word === "yes") return [say(yes, "")];
  if (word === false || word === "false" || word === "no") return no === null ? [] : [say(no, "")];
  if (typeof value !== "string" || value.trim() === "" || /^(?:none|n\/a|null|-)$/i.test(value.trim()))
    return [];
  return [say(yes === "APPROVE" ? readWords(value) : yes, value)];
}

function isCounted(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : typeof value === "number" && value > 0;
}

function say(reading: Reading, words: string): Finding {
  return { reading, words, reason: "", nextStep: "" };
}

function wordsAt(record: JsonRecord, keys: readonly string[]): string {
  for (const key of keys) {
    const value = record[key];
    const list: unknown[] = Array.isArray(value) ? value : [value];
    const text = list.map((each) => textOf(each)?.trim() ?? "").filter((each) => each !== "");
    if (text.length > 0) return text.join("; ");
  }
  return "";
}
