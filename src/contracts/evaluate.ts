import { recordOf, type JsonRecord, isRecord, parseJson } from "../lib/json.ts";
import { describeIssues, IN_ENGLISH } from "../lib/schema.ts";
import { VERDICTS, type Answer, type Contract, type Outcome } from "./contract.ts";
import { oneOf } from "./fields.ts";

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

/** Longer answers are read from their end: a contract is the last thing that a specialist says. */
const MAX_CHARACTERS = 400_000;
const REASONING = /<(\/?)(?:think|thinking|reasoning)>/gi;

/**
 * The JSON object of a model's answer (SPEC 4): that of the last fenced block which begins with one, else the one that ends with
 * the text's last brace. What is cut off or not JSON is none, and no earlier object takes its place. Never throws; linear in
 * the length of the text.
 */
export function readAnswer(text: string): JsonRecord | null {
  const source = withoutReasoning(text.length > MAX_CHARACTERS ? text.slice(-MAX_CHARACTERS) : text);
  const block = fencedBlocks(source).findLast((each) => each.trimStart().startsWith("{"));
  return lastObject(block ?? source);
}

/** Drops reasoning: between tags, before a closing one alone, behind one never closed. Within a line a tag is a word of the answer. */
function withoutReasoning(text: string): string {
  let kept = "";
  let from = 0;
  let isInside = false;
  for (const { 0: tag, 1: closes, index } of text.matchAll(REASONING)) {
    const end = index + tag.length;
    const isAlone = isEdge(text[index - 1]) || (closes === "/" && isEdge(text[end]));
    if (closes === "/" ? !isInside && !isAlone : isInside || !isAlone) continue;
    if (closes !== "/") kept += text.slice(from, index);
    else if (!isInside) kept = "";
    isInside = closes !== "/";
    from = end;
  }
  return isInside ? kept : kept + text.slice(from);
}

function isEdge(sign: string | undefined): boolean {
  return sign === undefined || sign === "\n" || sign === "\r";
}

function fencedBlocks(source: string): string[] {
  const pieces: string[][] = [[]];
  for (const line of source.split("\n")) {
    if (line.trimStart().startsWith("```")) pieces.push([]);
    else pieces.at(-1)?.push(line);
  }
  return pieces.flatMap((lines, index) => (index % 2 === 1 ? [lines.join("\n")] : []));
}

/** Walks back from the last brace: from there a text in JSON has one beginning only. Of several in a list none is meant. */
function lastObject(source: string): JsonRecord | null {
  const end = source.lastIndexOf("}");
  if (end < 0 || source.indexOf("{", end) >= 0) return null;
  let depth = 0;
  let isInText = false;
  for (let at = end; at >= 0; at -= 1) {
    const sign = source[at];
    if (sign === '"' && !isEscaped(source, at)) isInText = !isInText;
    if (isInText || (sign !== "{" && sign !== "}")) continue;
    depth += sign === "}" ? 1 : -1;
    if (depth > 0) continue;
    if (source.slice(0, at).trimEnd().at(-1) === "," && source.slice(end + 1).trim()[0] === "]") return null;
    const value = parseJson(source.slice(at, end + 1));
    return isRecord(value) ? value : null;
  }
  return null;
}

function isEscaped(source: string, at: number): boolean {
  let first = at;
  while (source[first - 1] === "\\") first -= 1;
  return (at - first) % 2 === 1;
}
