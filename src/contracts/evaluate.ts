import { recordOf, type JsonRecord } from "../lib/json.ts";
import { describeIssues, IN_ENGLISH } from "../lib/schema.ts";
import { VERDICTS, type Answer, type Contract, type Outcome } from "./contract.ts";
import { oneOf } from "./fields.ts";
import { readAnswer } from "./read-answer.ts";

export type Evaluation =
  | { readonly status: "valid"; readonly answer: Answer }
  | {
      readonly status: "invalid";
      readonly problems: readonly string[];
      readonly isEmpty: boolean;
      /** The REJECT or BLOCKED that it names all the same. */
      readonly objection: Outcome | null;
    };

export type Repaired =
  | { readonly status: "valid"; readonly answer: Answer; readonly note: string | null }
  | { readonly status: "invalid"; readonly answer: Answer | null; readonly problems: readonly string[] };

const MAX_PROBLEMS = 8;
const CANNOT_GO_ON =
  "Where you could not do it, or need to know something first, set ok to false and say in errors what is missing, in questions what you need to know; data may then be empty.";

/** Holds an answer against its contract (SPEC 4). Never throws, whatever the model wrote. */
export function evaluateAnswer(contract: Contract, given: { readonly text: string }): Evaluation {
  const value = readAnswer(given.text);
  if (value === null)
    return { status: "invalid", problems: ["no JSON object was found"], isEmpty: true, objection: null };
  const { ok, outcome } = recordOf(value);
  const result = (ok === false ? contract.unable : contract.done).safeParse(value, IN_ENGLISH);
  if (result.success) return { status: "valid", answer: result.data };
  const objection = contract.verdict === "due" ? objectionIn(recordOf(outcome)) : null;
  return {
    status: "invalid",
    problems: describeIssues(result.error, MAX_PROBLEMS),
    isEmpty: false,
    objection,
  };
}

function objectionIn({ verdict, reason }: JsonRecord): Outcome | null {
  const named = oneOf(VERDICTS).safeParse(verdict);
  if (!named.success || named.data === "APPROVE") return null;
  return { verdict: named.data, ...(typeof reason === "string" ? { reason } : {}) };
}

/** A repair takes the answer's place, but cannot turn a plain objection into an approval. @param second null where there was none */
export function combineRepair(first: Evaluation, second: Evaluation | null): Repaired {
  if (first.status === "valid") return { ...first, note: null };
  const last = second ?? first;
  const objection = worst(first.objection, last.status === "invalid" ? last.objection : null);
  if (last.status === "invalid") {
    const answer = objection === null ? null : { ok: false, data: {}, errors: [...last.problems] };
    return { ...last, answer: answer && { ...answer, outcome: objection ?? undefined } };
  }
  const { answer } = last;
  if (objection === null || answer.outcome?.verdict !== "APPROVE") return { ...last, note: null };
  const note = `outcome.verdict: the answer said ${objection.verdict}, its repair APPROVE; ${objection.verdict} stands`;
  return { status: "valid", answer: { ...answer, outcome: objection }, note };
}

function worst(one: Outcome | null, other: Outcome | null): Outcome | null {
  if (one === null || other === null) return one ?? other;
  return VERDICTS.indexOf(one.verdict) >= VERDICTS.indexOf(other.verdict) ? one : other;
}

const REPAIR = "Your result could not be read:";

export function isRepairPrompt(text: string): boolean {
  return text.startsWith(REPAIR);
}

/** The prompt of the single repair round: it names the fields, and nothing else. */
export function renderRepairPrompt(contract: Contract, problems: readonly string[]): string {
  return [
    REPAIR,
    ...problems.map((problem) => `- ${problem}`),
    `Do no further work. ${CANNOT_GO_ON}`,
    "Answer with the corrected result only, as one ```json block of this shape:",
    contract.shape,
  ].join("\n");
}
