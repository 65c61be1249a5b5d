import { idOfLearning, type Learning } from "../../workspace/documents/learning.ts";
import type { Workspace } from "../../workspace/workspace.ts";
import type { EvidenceOfLearnings } from "../../workspace/operations/learnings.ts";

/** Of a line that a person accepted and nobody has seen anything of since. */
const AT_FIRST = 0.7;
/** How many cases that first opinion weighs as much as. */
const WEIGHT = 2;
/** Below this a learning says of itself that it is not to be relied on. */
const LOW = 0.5;
/** For so many days a learning is as good as new; after as many more again it is half as sure, and so on. */
const FRESH_DAYS = 365;
const DAY_MS = 86_400_000;

/** What of a learning counts; `confidence` is what its line says. */
export type Judged = Pick<Learning, "text" | "date"> & { readonly confidence?: number | undefined };

/**
 * How sure a learning is, from 0 to 1: what its line says or {@link AT_FIRST}, then the share of the cases in which it was
 * confirmed, then its age since anyone wrote or confirmed it. Pure.
 * @param now milliseconds since the epoch
 */
export function confidenceOf(
  { text, date, confidence = AT_FIRST }: Judged,
  evidence: EvidenceOfLearnings,
  now: number,
): { readonly value: number; readonly why: string } {
  const { confirmed = 0, contradicted = 0, last = "" } = evidence.get(idOfLearning(text)) ?? {};
  const shared = (confidence * WEIGHT + confirmed) / (WEIGHT + confirmed + contradicted);
  const newest = confirmed > 0 && last > date ? last : date;
  const days = Math.max(0, Math.floor((now - Date.parse(newest)) / DAY_MS)) || 0;
  const value = shared * 0.5 ** Math.max(0, days / FRESH_DAYS - 1);
  const why = [
    confirmed > 0 ? `confirmed ${times(confirmed)}` : "",
    contradicted > 0 ? `contradicted ${times(contradicted)}` : "",
    days > FRESH_DAYS ? `not confirmed for ${days} days` : "",
  ];
  return { value: Math.round(value * 100) / 100, why: why.filter(Boolean).join(", ") };
}

/** What is told with a learning; empty where there is nothing to say but that someone accepted it. */
export function describeConfidence(learning: Judged, evidence: EvidenceOfLearnings, now: number): string {
  const { value, why } = confidenceOf(learning, evidence, now);
  if (why === "" && learning.confidence === undefined) return "";
  const said = `${value < LOW ? "low confidence" : "confidence"} ${value}`;
  return why === "" ? said : `${said}: ${why}`;
}

function times(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

/**
 * What is to be told of each learning's confidence beside it, by what was seen in this checkout; empty for nothing.
 * @param now milliseconds since the epoch
 */
export async function tellConfidence(
  workspace: Pick<Workspace, "learningEvidence">,
  now: number,
): Promise<(learning: Judged) => string> {
  const read = await workspace.learningEvidence();
  const evidence = read.ok ? read.evidence : new Map<string, never>();
  return (learning) => describeConfidence(learning, evidence, now);
}
