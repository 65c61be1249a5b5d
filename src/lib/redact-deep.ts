import { isRecord } from "./json.ts";
import type { Redactor } from "./redaction.ts";

/** A copy of plain data with every text in it redacted; keys and other values stay. */
export function redactDeep<T>(value: T, redact: Redactor): T {
  const redacted = (part: unknown): unknown => {
    if (typeof part === "string") return redact(part);
    if (Array.isArray(part)) return part.map(redacted);
    if (!isRecord(part)) return part;
    return Object.fromEntries(Object.entries(part).map(([key, item]) => [key, redacted(item)]));
  };
  return redacted(value) as T;
}

/** A text redacted; one that is JSON stays so. */
export function redactJson(text: string, redact: Redactor): string {
  const redacted = redact(text);
  if (redacted === text || !/^\s*[[{]/.test(text)) return redacted;
  try {
    return JSON.stringify(redactDeep(JSON.parse(text) as unknown, redact));
  } catch {
    return redacted; // It only begins like JSON.
  }
}
