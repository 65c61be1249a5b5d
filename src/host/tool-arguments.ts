import type * as z from "zod/mini";
import { isRecord, parseJson } from "../lib/json.ts";
import { IN_ENGLISH } from "../lib/schema.ts";

/** Arguments as a tool's shape has them, or what is wrong with them, in words for the model. */
export type CheckedArguments<Shape extends z.core.$ZodShape> =
  | { readonly ok: true; readonly args: z.infer<z.ZodMiniObject<Shape>> }
  | { readonly ok: false; readonly problem: string };

/** Checks arguments, which no host does (OPENCODE.md trap 3). @param given as {@link readArguments} leaves them */
export function checkArguments<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape>,
  given: unknown,
): CheckedArguments<Shape> {
  const parsed = schema.safeParse(given, IN_ENGLISH);
  return parsed.success
    ? { ok: true, args: parsed.data }
    : { ok: false, problem: describeIssues(parsed.error) };
}

/** Models write null for what they leave out, and some the whole object as a text. */
export function readArguments(raw: unknown): unknown {
  const given = typeof raw === "string" ? (parseJson(raw) ?? raw) : raw;
  if (!isRecord(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}

function describeIssues(error: z.core.$ZodError): string {
  const fields = error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  const isNoObject = error.issues.some(({ path }) => path.length === 0);
  if (isNoObject)
    return "Wrong arguments: they are no JSON object. Call again with the arguments as one JSON object.";
  return `Wrong arguments. ${fields.join("; ")}. Call again with these corrected.`;
}
