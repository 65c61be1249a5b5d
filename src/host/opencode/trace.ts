import { createHash } from "node:crypto";
import { isRecord } from "../../lib/json.ts";

/** How long something took, when it ran and where it lay is different each time, although nothing else is. */
const PASSING =
  /\b\d+(?:\.\d+)?\s?(?:ms|µs|s|seconds?)\b|\bduration_ms:? \d+(?:\.\d+)?|\b\d{4}-\d{2}-\d{2}T[\d:.]+Z?|\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?\b|\b0x[0-9a-f]{6,}\b|\bpid[ :=]+\d+/gi;

/** What was called and what came back, as a short text that is the same only where both are the same. */
export function traceOf(tool: string, input: unknown, result: unknown): string {
  const text = typeof result === "string" ? result.replaceAll(PASSING, "") : JSON.stringify(result);
  const called = JSON.stringify([tool, meant(input)], (_key, value: unknown) =>
    isRecord(value) ? sorted(value) : value,
  );
  return createHash("sha256").update(`${called}\n${text}`).digest("base64").slice(0, 16);
}

/** What a call does: a command is the same one whatever it is said to be for, how long it may take and how it is spaced. */
function meant(input: unknown): unknown {
  if (!isRecord(input)) return input;
  const { description: _said, timeout: _longest, command, ...rest } = input;
  if (typeof command !== "string") return input;
  return {
    ...rest,
    command: command.trim().replaceAll(/[^\S\n]+/g, " "),
  };
}

/** Models give the same arguments in any order. */
function sorted(record: Record<string, unknown>): unknown {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
