import { isRecord } from "./json.ts";
import type { Redactor } from "./redaction.ts";

/** A copy of plain data with every text in it redacted; keys and other values stay. */
export function redactDeep<T>(value: T, redact: Redactor): T;
export function redactDeep(value: unknown, redact: Redactor): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item: unknown) => redactDeep(item, redact));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, redactDeep(item, redact)]));
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
