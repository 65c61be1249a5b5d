import { createHash } from "node:crypto";
import { isRecord } from "../../lib/json.ts";

/** How long something took is different each time, although nothing else is. */
const DURATIONS = /\b\d+(?:\.\d+)?\s?(?:ms|s|seconds?)\b/g;

/** What was called and what came back, as a short text that is the same only where both are the same. */
export function traceOf(tool: string, input: unknown, result: unknown): string {
  const text = typeof result === "string" ? result.replaceAll(DURATIONS, "") : JSON.stringify(result);
  const called = JSON.stringify([tool, input], (_key, value: unknown) =>
    isRecord(value) ? sorted(value) : value,
  );
  return createHash("sha256").update(`${called}\n${text}`).digest("base64").slice(0, 16);
}

/** Models give the same arguments in any order. */
function sorted(record: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
