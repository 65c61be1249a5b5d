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
  const first = schema.safeParse(given, IN_ENGLISH);
  const parsed = first.success ? first : schema.safeParse(unfolded(given, first.error), IN_ENGLISH);
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

/** Some models write a list or an object as a text: it is read where it does not fit as it is. */
function unfolded(given: unknown, { issues }: z.core.$ZodError): unknown {
  if (!isRecord(given)) return given;
  const meant = issues.flatMap(({ path: [key, ...inside] }) => {
    const value = inside.length === 0 ? given[String(key)] : undefined;
    const read = typeof value === "string" ? parseJson(value) : undefined;
    return typeof read === "object" && read !== null ? [[key, read]] : [];
  });
  return { ...given, ...Object.fromEntries(meant) };
}

function describeIssues(error: z.core.$ZodError): string {
  const fields = error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  const isNoObject = error.issues.some(({ path }) => path.length === 0);
  if (isNoObject)
    return "Wrong arguments: they are no JSON object. Call again with the arguments as one JSON object.";
  return `Wrong arguments. ${fields.join("; ")}. Call again with these corrected.`;
}
