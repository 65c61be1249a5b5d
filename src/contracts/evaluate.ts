import * as z from "zod/mini";
import { excerpt } from "../lib/excerpt.ts";
import { isRecord, recordOf, type JsonRecord } from "../lib/json.ts";
import { IN_ENGLISH } from "../lib/schema.ts";
import type { Answer, Contract } from "./contract.ts";
import { extractObjects, extractProse, overwrittenIn } from "./extract.ts";
import {
  MALFORMED,
  readOutcomeSlot,
  readSurroundings,
  settleVerdict,
  type Outcome,
  type Settled,
  type Surroundings,
} from "./verdict/settle.ts";

/** What an answer is held to be; `verdict` is null where none is due. */
export type Evaluation = { readonly verdict: Settled | null } & (
  | { status: "valid"; answer: Answer; note: string | null }
  | { status: "invalid"; salvage: Answer | null; problems: string[] }
);

const MISSING = "outcome: your verdict is missing; say APPROVE, REJECT or BLOCKED, and why";
const CANNOT_GO_ON =
  "Where you could not do it, or need to know something first, set ok to false and say in errors what is missing; data may then be empty.";

/**
 * Holds what a model gave back against the contract (SPEC 4): the structured value first, then every object
 * found in the text. Never throws, whatever the model wrote.
 * @returns `valid` with the typed answer, or `invalid` with the fields that failed and what could be saved of the rest;
 *   both with the verdict, however it was written. An answer that says it could not go on needs no data.
 */
export function evaluateAnswer(
  contract: Contract,
  given: { structured?: unknown; text: string },
): Evaluation {
  const candidates = given.structured === undefined ? extractObjects(given.text) : [given.structured];
  const isDue = contract.verdict === "due";
  const around = isDue
    ? readSurroundings(candidates, extractProse(given.text), overwrittenIn(given.text))
    : readSurroundings([], "");
  let firstFailure: z.core.$ZodError | null = null;
  for (const candidate of candidates) {
    const { value, verdict } = readOutcome(contract, candidate, around);
    const result = contract.answer.safeParse(value, IN_ENGLISH);
    if (result.success) return { status: "valid", answer: result.data, note: noteOf(verdict), verdict };
    firstFailure ??= result.error;
  }
  const { value, verdict } = readOutcome(contract, candidates[0], around);
  if (firstFailure === null) {
    const salvage = saveOutcome(null, verdict);
    return { status: "invalid", salvage, problems: ["no JSON object was found"], verdict };
  }
  const salvage = saveOutcome(saveFields(contract, value), verdict);
  if (saysNo(value) && salvage !== null && salvage.errors.length > 0)
    return { status: "valid", answer: salvage, note: noteOf(verdict), verdict };
  return { status: "invalid", salvage, problems: describe(firstFailure), verdict };
}

/** What the repair round asks for; empty where the answer is whole. */
export function problemsOf(evaluation: Evaluation): string[] {
  const { verdict } = evaluation;
  const unclear =
    verdict?.kind === "missing" ? [MISSING] : verdict?.kind === "doubtful" ? [doubtOf(verdict.outcome)] : [];
  return evaluation.status === "valid" ? unclear : [...evaluation.problems, ...unclear];
}

function doubtOf({ reason = "" }: Outcome): string {
  return `outcome: your verdict is not plain (${excerpt(reason, 160)}); say APPROVE, REJECT or BLOCKED, and why`;
}

const REPAIR = "Your result could not be read:";

/** Whether a message is the prompt of a repair round. */
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

function describe(error: z.core.$ZodError): string[] {
  return error.issues.slice(0, 8).map((issue) => `${issue.path.join(".") || "the object"}: ${issue.message}`);
}

/** Puts the verdict, however it was written, where the contract has it. */
function readOutcome(
  contract: Contract,
  candidate: unknown,
  around: Surroundings,
): { value: unknown; verdict: Settled | null } {
  const record = isRecord(candidate) ? candidate : null;
  if (contract.verdict === "none") return { value: candidate, verdict: null };
  if (contract.verdict === "optional") {
    return { value: record && withOutcome(record, readOutcomeSlot(record)), verdict: null };
  }
  const verdict = settleVerdict(record, around);
  return { value: record && withOutcome(record, outcomeOf(verdict)), verdict };
}

function withOutcome(record: JsonRecord, outcome: Outcome | undefined): JsonRecord {
  const { outcome: _written, ...rest } = record;
  return outcome === undefined ? rest : { ...rest, outcome };
}

function outcomeOf(verdict: Settled | null): Outcome | undefined {
  return verdict === null || verdict.kind === "missing" ? undefined : verdict.outcome;
}

function noteOf(verdict: Settled | null): string | null {
  if (verdict === null) return null;
  if (verdict.kind !== "missing") return verdict.note;
  return verdict.malformed ? MALFORMED : null;
}

function saysNo(value: unknown): boolean {
  return recordOf(value)["ok"] === false;
}

/** Keeps every field that is valid by itself, so that a near miss still tells the orchestrator what it can. */
function saveFields(contract: Contract, candidate: unknown): Answer | null {
  if (!isRecord(candidate)) return null;
  const source = isRecord(candidate["data"]) ? candidate["data"] : candidate;
  const data: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(contract.data.shape)) {
    if (!(field in source)) continue;
    const result = z.safeParse(schema, source[field]);
    if (result.success && result.data !== undefined) data[field] = result.data;
  }
  const errors = wordsOf(candidate["errors"]);
  if (Object.keys(data).length === 0 && errors.length === 0) return null;
  return { ok: !saysNo(candidate), data, errors };
}

/** A verdict is not lost with the contract that it stood in, and who gave one has looked, whatever came of it. */
function saveOutcome(saved: Answer | null, verdict: Settled | null): Answer | null {
  const outcome = outcomeOf(verdict);
  if (outcome === undefined) return saved;
  return { ...(saved ?? { ok: true, data: {}, errors: [] }), outcome };
}

function wordsOf(errors: unknown): string[] {
  const list: unknown[] = Array.isArray(errors) ? errors : [errors];
  return list.filter((each): each is string => typeof each === "string" && each.trim() !== "");
}
