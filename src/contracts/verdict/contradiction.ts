import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { checksIn, isToldApart } from "../fields.ts";

const MAX_QUOTE = 120;
const GRAVE =
  /^(?:(?:very |extremely |most )?(?:critical|severe|fatal)|block(?:er|ing|s|ed)?|p0|showstopper)(?![\w-]|\s*(?:path|section|review))/i;
/** As the severity of a finding, what a reviewer is told to reject for. */
const GRAVE_FINDING = /^(?:very |extremely )?high(?![\w-]|\s*(?:level|quality|confidence))|^(5\/5|10\/10)$/i;
/** A score of CVSS from which a finding is a high one. */
const HIGH_SCORE = 7;
/** A text that says of faults that there are none. */
export const NO_FAULT =
  /^\W*(?:none|no|nil|n\/?a|nothing|-|0)?(?: (?:failures?|failed|errors?|found|known|blockers?))*\W*$/i;
/** Names under which checks are reported. */
export const CHECKS = /^checks?(?:run)?$|^testsrun$/;
/** Names of what is to be done before an approval could hold. */
const DEMANDS =
  /^(?:mustfix(?:es)?|(?:is)?blockedby|blocking(?:issues|findings|problems)?|required(?:changes|fix(?:es)?)|(?:changes?|fix(?:es)?|rework)(?:required|requested|needed)|needs?(?:changes|fix(?:es)?|work|rework))$/;
/** A check that is reported with how it ended: `npm test: 1`, `lint: exit code 2`. */
const ENDED_BADLY =
  /(?:\bexit(?:ed)?(?: with)?(?: code| status)?\s*[:=]?\s*|:\s+)-?0*[1-9]\d{0,2}[\s)\].]*$/i;
const ENDED_WELL = /(?:\bexit(?:ed)?(?: with)?(?: code| status)?\s*[:=]?\s*|:\s+)0[\s)\].]*$/i;
const FAILING_WORDS = /\bfail(?:s|ed|ing|ures?)?\b|\btimed out\b|[❌✗✘]/i;
const FAILS_NOT = /\b(?:0|no|zero|none|never|not|without)\W+(?:\w+\W+)?(?:fail|errors?)/i;

/**
 * What in a reviewer's own answer speaks against an approval, in words for a person; null for nothing. Looks at what the
 * contracts ask for, and at its like in contracts of a project's own (SPEC 4).
 */
export function contradictionOf(answer: Readonly<Record<string, unknown>>): string | null {
  const data = recordOf(answer["data"]);
  if (isNo(answer["ok"])) return `ok is false${quote(textsOf(answer["errors"])[0])}`;
  const outcome = recordOf(answer["outcome"]);
  const bound = ["conditions", "conditional"].find((name) => isDemanded(outcome[name]));
  if (bound !== undefined) return `its approval has ${bound}${quote(textsOf(outcome[bound])[0])}`;
  return contradictionIn(data) ?? contradictionIn(outcome) ?? contradictionIn(answer);
}

/** The same for the fields of one object. */
export function contradictionIn(fields: JsonRecord): string | null {
  for (const [name, value] of Object.entries(fields)) {
    const words = against(name, value, fields);
    if (words !== null) return words;
  }
  return null;
}

function against(name: string, value: unknown, fields: JsonRecord): string | null {
  const plain = name.toLowerCase().replaceAll(/[^a-z]/g, "");
  if (
    /^(?:is)?(?:release|production|merge|ship|deploy)ready$|^ready(?:to|for)?(?:merge|ship|release|deploy)?$|^(?:is)?(?:safeto|can)(?:merge|ship|release|deploy)$|^(?:is)?mergeable$|^success$|^passed$|^(?:all)?(?:checks|tests|build|lint|types|typecheck)(?:pass(?:ed|es)?|ok|green)$/.test(
      plain,
    )
  ) {
    // Where tests are counted, none that passed is none that was needed.
    const isCount = plain.includes("pass") && /^\s*0\s*$/.test(String(value));
    if (isCount) return null;
    return isNo(value) ? `${name} is false` : isNotYet(value) ? `${name} is ${excerpt(value, 40)}` : null;
  }
  if (DEMANDS.test(plain)) return isDemanded(value) ? `${name} is set${quote(textsOf(value)[0])}` : null;
  if (/^passstatus$|^teststatus$/.test(plain)) {
    const status = String(value).trim();
    const [, passed, all] = /^(\d+)\s*(?:\/|of)\s*(\d+)/.exec(status) ?? [];
    const isShort = passed !== undefined && Number(passed) < Number(all);
    const isBad = /^(?:fail\w*|partial\w*|error\w*|red|no|false|not\b.*)$/i.test(status);
    return isShort || isBad ? `${name} is ${status}` : null;
  }
  if (/^(?:risk|severity)(?:level)?$|^overallrisk$/.test(plain)) {
    return GRAVE.test(gradeOf(value)) ? `${name} is ${textOf(value)}` : null;
  }
  if (
    /^(?:failures?|failing(?:checks|tests)?|failed(?:checks|tests|count)?|(?:checks|tests)failed|blockers?)$/.test(
      plain,
    )
  ) {
    const listed = textsOf(value).find((text) => !NO_FAULT.test(text));
    const isCounted = typeof value === "number" && value > 0;
    return listed === undefined && !isCounted ? null : `${name} are listed${quote(listed)}`;
  }
  if (CHECKS.test(plain)) {
    const list: readonly unknown[] = Array.isArray(value) ? value : [value];
    const bad = list.map((each) => badCheck(each, fields)).find((words) => words !== undefined);
    return bad === undefined ? null : `a check did not pass${quote(bad)}`;
  }
  return Array.isArray(value) ? graveFinding(value) : null;
}

/** The first check of an entry that did not pass and is not told apart, in words. */
function badCheck(entry: unknown, fields: JsonRecord): string | undefined {
  const checks = checksIn(entry).filter((each) => !isToldApart(each, fields));
  if (typeof entry !== "string") {
    const ended = checks.find(({ exit_code: code }) => code !== null && code !== 0);
    return ended === undefined ? undefined : `${ended.command}: ${ended.exit_code}`;
  }
  return checks.length > 0 && (ENDED_BADLY.test(entry) || isFailing(entry)) ? entry : undefined;
}

function graveFinding(list: readonly unknown[]): string | null {
  const grave = list
    .filter(isRecord)
    .find(
      ({ severity, ...finding }) =>
        GRAVE.test(gradeOf(severity)) ||
        GRAVE_FINDING.test(gradeOf(severity)) ||
        ["cvss", "cvss_score"].some((key) => Number(finding[key]) >= HIGH_SCORE) ||
        ["level", "priority", "risk", "impact", "type", "kind"].some((key) =>
          GRAVE.test(gradeOf(finding[key])),
        ),
    );
  const texts = list.filter((each) => typeof each === "string");
  const marked = texts.find((text) => /^\W*(?:critical|blocker|block)\b\W/i.test(text));
  if (grave === undefined) return marked === undefined ? null : `a grave finding is listed${quote(marked)}`;
  return `a grave finding is listed${quote(textOf(grave["issue"]) ?? textOf(grave["title"]))}`;
}

function isDemanded(value: unknown): boolean {
  if (value === true || (typeof value === "number" && value > 0)) return true;
  return textsOf(value).some((text) => !NO_FAULT.test(text) && !isNo(text));
}

/** A grade without what stands around its word. */
function gradeOf(value: unknown): string {
  return (textOf(value) ?? "").replaceAll(/^\W+|\W+$/g, "");
}

function isFailing(text: string): boolean {
  return FAILING_WORDS.test(text) && !FAILS_NOT.test(text) && !ENDED_WELL.test(text);
}

function isNo(value: unknown): boolean {
  return (
    value === false ||
    value === 0 ||
    (typeof value === "string" && /^\s*(?:false|no(?:pe)?|nein|non|0)\W*$/i.test(value))
  );
}

/** A text in the place of a yes that says no, or binds it. */
function isNotYet(value: unknown): value is string {
  return (
    typeof value === "string" &&
    /^\W*(?:false|no(?:pe|t|ne)?|never|nein|non|pending|partial(?:ly)?|conditional(?:ly)?|almost|after|once|if|when|unless|until|only)\b/i.test(
      value,
    )
  );
}

/** What is said at a place, a text each; objects as JSON. */
export function textsOf(value: unknown): string[] {
  const list: unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => {
    if (typeof each === "string") return each.trim() === "" ? [] : [each];
    return isRecord(each) ? [JSON.stringify(each)] : [];
  });
}

function quote(text: string | undefined): string {
  return text === undefined ? "" : ` (${excerpt(text, MAX_QUOTE)})`;
}
