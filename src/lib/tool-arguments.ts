import type * as z from "zod/mini";
import { sameName } from "./nearest-name.ts";
import { isRecord, parseJson, type JsonRecord } from "./json.ts";
import { IN_ENGLISH } from "./schema.ts";

/** Arguments as a tool's shape has them, or what is wrong with them, in words for the model. */
export type ReadArguments<Shape extends z.core.$ZodShape> =
  | { readonly ok: true; readonly args: z.infer<z.ZodMiniObject<Shape>> }
  | { readonly ok: false; readonly problem: string };

/**
 * Reads the arguments of a call by the schema of its tool, which no host does (OPENCODE.md trap 3) and which is all that is known
 * of them: optional ones that are empty, null, blank or a placeholder are absent; a JSON text is what it holds, and a lone value
 * a list, where the schema wants that. An unknown name is an error that says which there are.
 */
export function readArguments<Shape extends z.core.$ZodShape>(
  schema: z.ZodMiniObject<Shape>,
  given: unknown,
): ReadArguments<Shape> {
  const wrong = new Map<string, string>();
  const parsed = schema.safeParse(readAs(schema, given, [], wrong), IN_ENGLISH);
  if (wrong.has(""))
    return failed(": they are no JSON object. Call again with the arguments as one JSON object.");
  if (parsed.success && wrong.size === 0) return { ok: true, args: parsed.data };
  for (const { path, message } of parsed.error?.issues ?? [])
    if (!wrong.has(path.join("."))) wrong.set(path.join("."), message);
  const told = [...wrong].slice(0, MAX_PROBLEMS).map(([name, problem]) => `${name}: ${problem}`);
  return failed(`. ${told.join("; ")}. Call again with these corrected.`);
}

function failed(words: string): { readonly ok: false; readonly problem: string } {
  return { ok: false, problem: `Wrong arguments${words}` };
}

const MAX_PROBLEMS = 12;
const MAX_NAME = 60;
/** How programs write that there is nothing, in small letters. */
const PLACEHOLDERS = new Set(["", "null", "none", "nil", "undefined", "n/a"]);
const BLANK_MEANS_SOMETHING = new WeakSet<z.core.$ZodType>();

/** A text that may be blank: as code that takes the place of other code. */
export function verbatim<S extends z.ZodMiniType>(schema: S): S {
  BLANK_MEANS_SOMETHING.add(schema);
  return schema;
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.core.$ZodType>>;
  readonly innerType?: z.core.$ZodType;
  readonly element?: z.core.$ZodType;
  readonly entries?: Readonly<Record<string, unknown>>;
}

/** What a value stands for where the schema is asked for; what stands for nothing stays as it is. @param wrong is filled by path */
function readAs(
  schema: z.core.$ZodType,
  given: unknown,
  path: readonly string[],
  wrong: Map<string, string>,
): unknown {
  const { type, shape = {}, innerType, element, entries = {} } = schema._zod.def as Definition;
  const mayHold = typeof given === "string" && !["optional", "string", "enum"].includes(type);
  const held = mayHold ? parseJson(given) : undefined;
  if (type === "optional" && innerType !== undefined) {
    if (typeof given === "string" && BLANK_MEANS_SOMETHING.has(innerType)) return given;
    const value = isNothing(given) ? undefined : readAs(innerType, given, path, wrong);
    return isNothing(value) ? undefined : value;
  }
  if (type === "object") {
    const object = isRecord(held) ? held : given;
    const names = Object.keys(shape);
    if (isRecord(object)) return readObject(object);
    if (object !== undefined || path.length === 0)
      wrong.set(path.join("."), `an object of ${names.join(", ")}`);
    return object;
  }
  if (type === "array" && element !== undefined) {
    const list: readonly unknown[] = Array.isArray(held) ? held : Array.isArray(given) ? given : [given];
    const values = list.filter((each) => !isNothing(each));
    return values.map((each, at) => readAs(element, each, [...path, String(at)], wrong));
  }
  if (type === "enum" && typeof given === "string")
    return sameName(given, Object.values(entries).map(String)) ?? given;
  if (type === "string")
    return typeof given === "number" || typeof given === "boolean" ? String(given) : given;
  return typeof held === type || (type === "record" && isRecord(held)) ? held : given;

  function readObject(object: JsonRecord): JsonRecord {
    const known: JsonRecord = {};
    for (const [name, value] of Object.entries(object)) {
      const own = Object.hasOwn(shape, name) ? shape[name] : undefined;
      const at = [...path, own === undefined ? name.slice(0, MAX_NAME) : name];
      if (own !== undefined) known[name] = readAs(own, value, at, wrong);
      else if (!isNothing(value))
        wrong.set(at.join("."), `Unknown argument: expected one of ${Object.keys(shape).join(", ")}`);
    }
    return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
  }
}

function isNothing(value: unknown): boolean {
  if (typeof value === "string") return PLACEHOLDERS.has(value.trim().toLowerCase());
  if (Array.isArray(value)) return value.every(isNothing);
  return value === null || value === undefined || (isRecord(value) && Object.keys(value).length === 0);
}
