import { excerpt } from "../../lib/excerpt.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { AgentReport } from "./batch.ts";

const MAX_FIELD = 320;
/** Where the specialists' contracts say it, the most telling field first (SPEC 4). */
const RATIONALE = ["rationale", "diff_summary", "deploy_notes", "coverage_notes", "session_summary", "notes"];
const RISK = ["risk", "known_issues", "failures", "risk_list", "vulnerabilities"];
const NEXT_STEP = ["next_step"];

/**
 * The words for a check-in packet out of a specialist's contract envelope. Takes anything: what is missing or of
 * another shape is an empty string.
 */
export function reportFromContract(envelope: unknown): AgentReport {
  const outer = recordOf(envelope);
  const places = [recordOf(outer["data"]), outer, recordOf(outer["outcome"])];
  const first = (names: readonly string[]): string =>
    names.flatMap((name) => places.map((place) => wordsOf(place[name]))).find((text) => text !== "") ?? "";
  return {
    rationale: first(RATIONALE),
    risk: first(RISK) || wordsOf(outer["errors"]),
    nextStep: first(NEXT_STEP),
  };
}

function wordsOf(value: unknown): string {
  const parts = Array.isArray(value) ? value : [value];
  const texts = parts
    .flatMap((part) => textOf(part) ?? textOf(recordOf(part)["issue"]) ?? [])
    .filter((text) => text.trim() !== "");
  return excerpt(texts.join("; "), MAX_FIELD);
}
