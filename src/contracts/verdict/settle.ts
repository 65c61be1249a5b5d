import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, type JsonRecord } from "../../lib/json.ts";
import { contradictionOf } from "./contradiction.ts";
import { bindingIn, demandIn, openEndIn } from "./open-ends.ts";
import { findVerdicts, type Finding } from "./find.ts";
import { objectionIn, readProse } from "./prose.ts";
import { worst, type Verdict } from "./words.ts";

/** One reviewer's conclusion, in the contract's words. */
export interface Outcome {
  verdict: Verdict;
  reason?: string | undefined;
  next_step?: string | undefined;
}

/**
 * What an answer concludes. `named`: it says so. `doubtful`: it says something that is no plain approval, and counts as an
 * objection unless it is made plain. `missing`: nothing can be read, `malformed` where something stands in its place.
 */
export type Settled =
  | { readonly kind: "named" | "doubtful"; readonly outcome: Outcome; readonly note: string | null }
  | { readonly kind: "missing"; readonly malformed: boolean };

/** What is noted of one that cannot be read, and is not made plain (SPEC 4). */
export const MALFORMED = "the outcome was malformed and counts as APPROVE";

/** The verdict at the beginning of a reason, before which it stands anyway. */
const OPENING =
  /^(?:(?:verdict|outcome|decision)\s*[:=–—-]\s*)?(?:approved?|reject(?:ed)?|blocked)\s*[:.,;–—-]\s*(?=\S)/i;
const MAX_TEXT = 600;
const MAX_QUOTE = 160;

/** What an answer says of a verdict around the object that holds its contract. */
export interface Surroundings {
  /** Of each object of the answer, what is plainly named a verdict in it. */
  readonly objects: ReadonlyMap<unknown, readonly Finding[]>;
  readonly prose: readonly Finding[];
  /** What the words ask for before the change goes on; null for nothing. */
  readonly demand: string | null;
  /** What objects said and took back by saying it again otherwise under the same name. */
  readonly overwritten: readonly JsonRecord[];
}

/** @param prose the words around the objects */
export function readSurroundings(
  objects: readonly unknown[],
  prose: string,
  overwritten: readonly JsonRecord[] = [],
): Surroundings {
  const found = [...objects, ...overwritten].filter(isRecord).map((each) => {
    const named = findVerdicts(each, false).filter(({ reading }) => reading !== null);
    return [each, named] as const;
  });
  const said = readProse(prose).map(({ reading, words }) => ({
    reading,
    words,
    reason: words,
    nextStep: "",
  }));
  return { objects: new Map(found), prose: said, demand: demandIn(prose), overwritten };
}

/**
 * Reads a reviewer's verdict, however it was written (SPEC 4): from the object that holds the contract, from the others of the
 * answer, and from the words around them. Of several the worst counts, and an approval that the answer itself speaks
 * against is a rejection. Never throws.
 * @param contract the object that holds the contract; null where there is none
 */
export function settleVerdict(contract: JsonRecord | null, around: Surroundings): Settled {
  const { objects, prose: said, demand, overwritten } = around;
  const own = contract === null ? [] : findVerdicts(contract);
  const beside = [...objects].flatMap(([object, found]) => (object === contract ? [] : found));
  const reasons = own.flatMap((finding) => inReason(finding));
  const findings = [...own, ...reasons, ...beside, ...said];
  const against = firstOf(contract === null ? overwritten : [contract, ...overwritten], contradictionOf);
  const objection = worstOf(findings.filter(({ reading }) => reading === "REJECT" || reading === "BLOCKED"));
  if (objection !== null) return { kind: "named", outcome: outcomeOf(objection), note: noteOf(findings) };

  const approval = findings.find(({ reading }) => reading === "APPROVE");
  if (against !== null) {
    const isContradicted = approval !== undefined;
    const begins = isContradicted ? `It says APPROVE, but ${against}` : `It names no verdict, and ${against}`;
    const reason = [begins, approval?.reason ?? ""].filter(Boolean).join(". ");
    const note = isContradicted ? `the answer contradicts itself: ${against}; it counts as REJECT` : null;
    return {
      kind: "named",
      outcome: outcomeOf({ ...NOTHING, ...approval, reading: "REJECT", reason }),
      note,
    };
  }
  // Beside a plain verdict in its place, hedged prose is about something else.
  const doubt = [...own, ...(approval === undefined ? said : [])].find(
    ({ reading }) => reading === "doubtful",
  );
  if (doubt !== undefined) {
    const reason = `No plain approval: "${excerpt(doubt.words, MAX_QUOTE)}"`;
    return { kind: "doubtful", outcome: outcomeOf({ ...doubt, reading: "REJECT", reason }), note: null };
  }
  if (approval === undefined) return { kind: "missing", malformed: own.length > 0 };
  const open = (contract === null ? null : openEndIn(contract)) ?? bindingIn(approval) ?? demand;
  if (open === null) return { kind: "named", outcome: outcomeOf(approval), note: null };
  const reason = `It says APPROVE, but ${open}`;
  return { kind: "doubtful", outcome: outcomeOf({ ...approval, reading: "REJECT", reason }), note: null };
}

function firstOf<Item, Found>(list: readonly Item[], find: (item: Item) => Found | null): Found | null {
  for (const item of list) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

/** The outcome of an answer whose verdict is only for GAIA to read; undefined where there is none. */
export function readOutcomeSlot(contract: JsonRecord): Outcome | undefined {
  const found = worstOf(findVerdicts(contract, false).filter(({ reading }) => reading !== null));
  return found === null || found.reading === "doubtful" ? undefined : outcomeOf(found);
}

/** What the reason of an approval itself says against it. */
function inReason({ reading, reason, nextStep }: Finding): Finding[] {
  const objection = reading === "APPROVE" ? objectionIn(reason) : null;
  return objection === null ? [] : [{ ...objection, reason, nextStep }];
}

const NOTHING: Finding = { reading: null, words: "", reason: "", nextStep: "" };

function worstOf(findings: readonly Finding[]): Finding | null {
  const [first] = findings;
  if (first === undefined) return null;
  const verdict = findings.map(verdictOf).reduce(worst);
  return findings.find((each) => verdictOf(each) === verdict) ?? null;
}

function verdictOf({ reading }: Finding): Verdict {
  return reading === null || reading === "doubtful" ? "APPROVE" : reading;
}

function noteOf(findings: readonly Finding[]): string | null {
  const isBoth = findings.some(({ reading }) => reading === "APPROVE");
  return isBoth ? "the answer approves and objects; the objection counts" : null;
}

function outcomeOf(finding: Finding): Outcome {
  const verdict = verdictOf(finding);
  const isMore = finding.words.trim().split(/\s+/).length > 1;
  const said = (finding.reason || (isMore ? finding.words : "")).trim();
  const reason = said.replace(OPENING, "").slice(0, MAX_TEXT);
  const nextStep = finding.nextStep.trim().slice(0, MAX_TEXT);
  return {
    verdict,
    ...(reason === "" ? {} : { reason }),
    ...(nextStep === "" ? {} : { next_step: nextStep }),
  };
}
