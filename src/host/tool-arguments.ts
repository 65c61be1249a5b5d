import type * as z from "zod/mini";
import { plainName } from "../config/nearest-name.ts";
import { isRecord, parseJson } from "../lib/json.ts";
import { IN_ENGLISH } from "../lib/schema.ts";

/** Each reading looks one level deeper: a text that holds a list may hold texts that hold objects. */
const MAX_READINGS = 4;

/** Arguments as a tool's shape has them, or what is wrong with them, in words for the model. */
export type CheckedArguments<Shape extends z.core.$ZodShape> =
  | { readonly ok: true; readonly args: z.infer<z.ZodMiniObject<Shape>> }
  | { readonly ok: false; readonly problem: string };

/** Checks arguments, which no host does (OPENCODE.md trap 3). @param given as {@link tidyArguments} leaves them */
export function checkArguments<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape>,
  given: unknown,
): CheckedArguments<Shape> {
  let meant = given;
  for (let reading = 1; ; reading += 1) {
    const parsed = schema.safeParse(meant, IN_ENGLISH);
    if (parsed.success) return { ok: true, args: parsed.data };
    const next = reading < MAX_READINGS ? asMeant(meant, parsed.error.issues) : null;
    if (next === null) return { ok: false, problem: describeIssues(parsed.error) };
    meant = next;
  }
}

/** Some models write the whole object as a text. */
export function readObject(raw: unknown): unknown {
  return typeof raw === "string" ? (parseJson(raw) ?? raw) : raw;
}

/** How programs write that there is nothing, in small letters. */
const PLACEHOLDERS = new Set(["", "null", "none", "nil", "undefined", "n/a"]);
const BLANK_MEANS_SOMETHING = new WeakSet<z.core.$ZodType>();

/** A text that may be blank: as code that takes the place of other code. */
export function verbatim<S extends z.ZodMiniType>(schema: S): S {
  BLANK_MEANS_SOMETHING.add(schema);
  return schema;
}

/**
 * Arguments by their schema, for every tool: optional ones that are null, blank, empty or a placeholder are absent, and a choice is
 * found whatever its case and separators. What does not fit is left as it is, to be told of.
 */
export function tidyArguments(schema: z.core.$ZodType, given: unknown): unknown {
  const { type, shape, innerType, element, entries } = schema._zod.def as Definition;
  if (type === "optional" && innerType !== undefined) {
    const value = tidyArguments(innerType, given);
    const mayBeBlank = BLANK_MEANS_SOMETHING.has(innerType) && typeof value === "string";
    return !mayBeBlank && isNothing(value) ? undefined : value;
  }
  if (type === "object" && shape !== undefined && isRecord(given)) {
    const values = Object.entries(given).map(([name, value]) => {
      const own = Object.hasOwn(shape, name) ? shape[name] : undefined;
      return [name, own === undefined ? value : tidyArguments(own, value)] as const;
    });
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  }
  if (type === "array" && element !== undefined && Array.isArray(given))
    return given.map((each) => tidyArguments(element, each)).filter((each) => !isNothing(each));
  if (type === "enum" && typeof given === "string")
    return Object.values(entries ?? {}).find((each) => plainName(String(each)) === plainName(given)) ?? given;
  return given;
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly entries?: Readonly<Record<string, unknown>>;
}

function isNothing(value: unknown): boolean {
  if (typeof value === "string") return PLACEHOLDERS.has(value.trim().toLowerCase());
  if (Array.isArray(value)) return value.every(isNothing);
  return value === null || value === undefined || (isRecord(value) && Object.keys(value).length === 0);
}

/** Arguments with what does not fit read as what it stands for; null where nothing of it stands for anything. */
function asMeant(given: unknown, issues: readonly z.core.$ZodIssue[]): unknown {
  const meant: unknown = structuredClone(given);
  let isOther = false;
  for (const issue of issues) {
    const holder = issue.path.slice(0, -1).reduce<unknown>((inside, key) => childOf(inside, key), meant);
    const key = issue.path.at(-1);
    if (issue.code !== "invalid_type" || key === undefined || !isHolder(holder)) continue;
    const read = readAs(issue.expected, holder[key]);
    if (read === undefined) continue;
    isOther = true;
    if (read === null) delete holder[key];
    else holder[key] = read;
  }
  return isOther ? meant : null;
}

/** Some models write lists, objects, numbers and yes or no as texts, one thing where a list is asked for, and null for nothing. */
function readAs(expected: string, value: unknown): unknown {
  if (value === null || value === undefined) return value;
  if (expected === "string")
    return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
  const read = typeof value === "string" ? parseJson(value) : undefined;
  if (expected === "number" || expected === "boolean") return typeof read === expected ? read : undefined;
  if (expected === "array")
    return Array.isArray(read) ? read : Array.isArray(value) ? undefined : [read ?? value];
  return typeof read === "object" && read !== null ? read : undefined;
}

function isHolder(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null;
}

function childOf(value: unknown, key: PropertyKey): unknown {
  return isHolder(value) ? value[key] : undefined;
}

function describeIssues(error: z.core.$ZodError): string {
  const fields = error.issues.map((issue) => `${issue.path.join(".") || "arguments"}: ${issue.message}`);
  const isNoObject = error.issues.some(({ path }) => path.length === 0);
  if (isNoObject)
    return "Wrong arguments: they are no JSON object. Call again with the arguments as one JSON object.";
  return `Wrong arguments. ${fields.join("; ")}. Call again with these corrected.`;
}
