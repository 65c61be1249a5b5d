import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, recordOf, type JsonRecord } from "../../lib/json.ts";
import { isToldApart, checksIn } from "../fields.ts";
import { CHECKS, contradictionIn, NO_FAULT, textsOf } from "./contradiction.ts";
import { findVerdicts } from "./find.ts";

const MAX_DEPTH = 6;
const MAX_LIST = 200;
const MAX_QUOTE = 120;
/** Where a reviewer says how sure it is: of 1, 10 or 100. */
const GRADES = /(?:confidence|certainty|score|rating|probability|likelihood)$/;
const SURE = 0.7;
/** A text that is nothing but someone's objection, with their name in front or not. */
const OBJECTION =
  /^(?:[^:=\n]{0,40}[:=–—-]\s*)?\W*(?:reject(?:ed|s)?|blocked|veto(?:ed)?|nack|not approved|changes requested)\W*$/i;
/** Something has to be done, before the change goes on. */
const DEMAND = /\b(?:must|ha[sv]e? to|needs?|should|requires?|required|fix|wait)\b/i;
const BEFORE =
  /\b(?:before|prior to|ahead of)\s+(?:[\w']+\s+){0,5}?(?:merg(?:e[ds]?|ing)|ship(?:s|ped|ping)?|releas(?:e[ds]?|ing)|deploy(?:s|ed|ing|ment)?|land(?:s|ed|ing)?|approv(?:al|e[ds]?|ing))\b/i;
const FIXING =
  /\b(?:fix|mend|resolv|address|remov|rotat|chang|add|test|updat|revert|clos|finish|complet|rework|correct|cover|clean|go(?:es)?\b|done\b|happen)/i;
const NOTHING = /\b(?:nothing|none|no|never)\b/i;
/** A check that is told of and has no end. */
const UNRUN =
  /(?:^|[:=(→–—-]\s*)\W*(?:(?:was |were |has |have )?(?:not|never)(?: yet| been)* (?:run|ran|executed|started|finished|done|possible)|skipped|pending|aborted|cancell?ed|killed|interrupted|unknown|tbd|todo|(?:could|can|did)(?: not|n't) (?:be )?(?:run|executed|start|finish)\w*)\b/i;

/** What makes an approval hang on something, at the beginning of its reason. */
const CONDITION =
  /^\W*(?:but|provided|providing|assuming|unless|only (?:if|once|when|after)|as (?:long|soon) as|subject to|conditional(?:ly)?|contingent|pending|on (?:the )?condition|with the (?:condition|caveat|proviso))\b|\bapproval (?:is |remains )?(?:conditional|contingent|provisional)\b/i;
/** A next step that mends what was looked at. */
const MENDS =
  /^\W*(?:[\w-]+ (?:must|should|shall|has to|needs? to|will) )?(?:fix|rework|resolve|address|correct|revert)\b/i;

/** What binds an approval in its own words, or sends the work back; null for nothing. */
export function bindingIn({ reason, nextStep }: { reason: string; nextStep: string }): string | null {
  if (CONDITION.test(reason)) return `its reason binds it (${excerpt(reason, MAX_QUOTE)})`;
  const isSentBack = MENDS.test(nextStep) && !NOTHING.test(nextStep);
  return isSentBack ? `its next step is a fix (${excerpt(nextStep, MAX_QUOTE)})` : null;
}

/**
 * What anywhere in a reviewer's own answer leaves open whether its approval holds, in words for a person; null for nothing. Every
 * object in it is read as the answer itself is. It is asked about, and no rejection by itself.
 */
export function openEndIn(answer: JsonRecord): string | null {
  const { errors, assumptions: _assumed, ...rest } = answer;
  const listed = textsOf(errors).find((text) => !NO_FAULT.test(text));
  return listed === undefined ? inRecord(rest, 0) : `errors are listed (${excerpt(listed, MAX_QUOTE)})`;
}

/** A sentence that asks for something before the change may go on; null for none. */
export function demandIn(text: string): string | null {
  const sentences = text.split(/(?<=[.!?;])\s+|\n/);
  const asks = [BEFORE, DEMAND, FIXING];
  const found = sentences.find((each) => asks.every((part) => part.test(each)) && !NOTHING.test(each));
  return found === undefined ? null : excerpt(found.trim(), MAX_QUOTE);
}

function inRecord(record: JsonRecord, depth: number): string | null {
  if (depth > MAX_DEPTH) return "it is nested too deep to be read";
  for (const [name, value] of Object.entries(record)) {
    const found = at(name, value, record, depth);
    if (found !== null) return found;
  }
  return null;
}

function at(name: string, value: unknown, record: JsonRecord, depth: number): string | null {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  const list: readonly unknown[] = Array.isArray(value) ? value.slice(0, MAX_LIST) : [value];
  for (const each of list) {
    const found = CHECKS.test(plain) ? inCheck(each, record) : inValue(plain, each, depth);
    if (found !== null) return `${name}: ${excerpt(found, MAX_QUOTE)}`;
  }
  return null;
}

function inValue(plain: string, value: unknown, depth: number): string | null {
  if (GRADES.test(plain)) return isSure(value) ? null : String(value);
  if (typeof value === "string") return OBJECTION.test(value) ? value : demandIn(value);
  if (Array.isArray(value)) return inRecord(Object.fromEntries(value.entries()), depth + 1);
  if (!isRecord(value)) return null;
  // The answer's own level is read elsewhere.
  const objection = findVerdicts(value).find(({ reading }) => reading === "REJECT" || reading === "BLOCKED");
  if (objection !== undefined) return objection.words || objection.reason || String(objection.reading);
  return contradictionIn(value) ?? inRecord(value, depth + 1);
}

function inCheck(entry: unknown, fields: JsonRecord): string | null {
  const said = typeof entry === "string" ? [entry] : Object.values(recordOf(entry));
  const open = said.find((each) => each === false || (typeof each === "string" && UNRUN.test(each)));
  if (open === undefined) return null;
  const named =
    typeof entry === "string" ? [{ command: entry.replace(UNRUN, ""), exit_code: null }] : checksIn(entry);
  return named.some((check) => isToldApart(check, fields)) ? null : textsOf(entry).join(", ");
}

/** Whether a grade is a high one; a word is, unless it says that it is low. */
function isSure(value: unknown): boolean {
  const [, digits, percent = ""] = /^\s*(\d+(?:\.\d+)?)\s*(%|\/\s*\d+)?\s*$/.exec(String(value)) ?? [];
  if (digits === undefined)
    return !/\b(?:low|poor|weak|none|little|moderate|medium|unsure)\b/i.test(String(value));
  const grade = Number(digits);
  // Without a sign it is of the first of these that it fits in.
  const plain = [1, 10, 100].find((most) => grade <= most) ?? 100;
  const of = percent === "" ? plain : percent === "%" ? 100 : Number(percent.slice(1));
  return grade / of >= SURE;
}
