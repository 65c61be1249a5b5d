import * as z from "zod";
import { isRecord, recordOf } from "../lib/json.ts";
import type { Answer, Contract } from "./contract.ts";
import { extractObjects } from "./extract.ts";

export type Evaluation =
  | { status: "valid"; answer: Answer; note: string | null }
  | { status: "invalid"; salvage: Answer | null; problems: string[] };

/**
 * Holds what a model gave back against the contract (SPEC 4): the structured value first, then every object
 * found in the text. Never throws, whatever the model wrote.
 * @returns `valid` with the typed answer (`note` tells of a malformed outcome that was read as APPROVE), or
 *   `invalid` with the fields that failed and what could be saved of the rest.
 */
export function evaluateAnswer(
  contract: Contract,
  given: { structured?: unknown; text: string },
): Evaluation {
  const candidates = given.structured === undefined ? extractObjects(given.text) : [given.structured];
  let firstFailure: z.ZodError | null = null;
  for (const candidate of candidates) {
    const result = contract.answer.safeParse(candidate);
    if (result.success)
      return { status: "valid", answer: result.data, note: outcomeNote(contract, candidate, result.data) };
    firstFailure ??= result.error;
  }
  if (firstFailure === null)
    return { status: "invalid", salvage: null, problems: ["no JSON object was found"] };
  return { status: "invalid", salvage: salvage(contract, candidates[0]), problems: describe(firstFailure) };
}

/** The prompt of the single repair round: it names the fields, and nothing else. */
export function renderRepairPrompt(contract: Contract, problems: readonly string[]): string {
  return [
    "Your result could not be read:",
    ...problems.map((problem) => `- ${problem}`),
    "Do no further work. Answer with the corrected result only, as one ```json block of this shape:",
    contract.shape,
  ].join("\n");
}

function describe(error: z.ZodError): string[] {
  return error.issues.slice(0, 8).map((issue) => `${issue.path.join(".") || "the object"}: ${issue.message}`);
}

function outcomeNote(contract: Contract, candidate: unknown, answer: Answer): string | null {
  if (!contract.reviews || answer.outcome !== undefined) return null;
  return recordOf(candidate)["outcome"] ? "the outcome was malformed and counts as APPROVE" : null;
}

/** Keeps every field that is valid by itself, so that a near miss still tells the orchestrator what it can. */
function salvage(contract: Contract, candidate: unknown): Answer | null {
  if (!isRecord(candidate)) return null;
  const source = isRecord(candidate["data"]) ? candidate["data"] : candidate;
  const data: Record<string, unknown> = {};
  for (const [field, schema] of Object.entries(contract.data.shape)) {
    const result = z.safeParse(schema, source[field]);
    if (result.success && result.data !== undefined) data[field] = result.data;
  }
  if (Object.keys(data).length === 0) return null;
  const errors = z.array(z.string()).safeParse(candidate["errors"]);
  return { ok: candidate["ok"] === true, data, errors: errors.success ? errors.data : [] };
}
