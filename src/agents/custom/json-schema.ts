import * as z from "zod/mini";
import { oneOf } from "../../contracts/fields.ts";
import { isRecord } from "../../lib/json.ts";

/** What of JSON Schema a custom contract may use; enough for data, and the same for every model. */
const KNOWN_KEYWORDS = new Set([
  "type",
  "properties",
  "required",
  "items",
  "enum",
  "description",
  "additionalProperties",
]);

const SCALARS: ReadonlyMap<unknown, () => z.ZodMiniType> = new Map<unknown, () => z.ZodMiniType>([
  ["string", () => z.string()],
  ["number", () => z.number()],
  ["integer", () => z.int()],
  ["boolean", () => z.boolean()],
]);

export type SchemaResult<T> = { ok: true; schema: T } | { ok: false; problem: string };

/** A JSON Schema as zod; a problem with its place for anything beyond the keywords above. */
export function readObjectSchema(schema: unknown, path = "contract"): SchemaResult<z.ZodMiniObject> {
  if (!isRecord(schema) || schema["type"] !== "object" || !isRecord(schema["properties"])) {
    return { ok: false, problem: `${path} must be a JSON Schema of type "object" with properties` };
  }
  const unknown = Object.keys(schema).find((keyword) => !KNOWN_KEYWORDS.has(keyword));
  if (unknown !== undefined) return { ok: false, problem: unknownKeyword(path, unknown) };
  const required: unknown = schema["required"] ?? [];
  const shape: Record<string, z.ZodMiniType> = {};
  for (const [name, property] of Object.entries(schema["properties"])) {
    const field = readSchema(property, `${path}.${name}`);
    if (!field.ok) return field;
    shape[name] =
      Array.isArray(required) && required.includes(name) ? field.schema : z.optional(field.schema);
  }
  return { ok: true, schema: z.object(shape) };
}

function readSchema(schema: unknown, path: string): SchemaResult<z.ZodMiniType> {
  if (!isRecord(schema)) return { ok: false, problem: `${path} must be a JSON Schema` };
  const unknown = Object.keys(schema).find((keyword) => !KNOWN_KEYWORDS.has(keyword));
  if (unknown !== undefined) return { ok: false, problem: unknownKeyword(path, unknown) };
  if (schema["enum"] !== undefined) return readEnum(schema["enum"], path);
  if (schema["type"] === "object") return readObjectSchema(schema, path);
  if (schema["type"] === "array") {
    const items = readSchema(schema["items"], `${path}.items`);
    return items.ok ? { ok: true, schema: z.array(items.schema) } : items;
  }
  const make = SCALARS.get(schema["type"]);
  if (make !== undefined) return { ok: true, schema: make() };
  return { ok: false, problem: `${path}.type must be string, number, integer, boolean, array or object` };
}

function readEnum(values: unknown, path: string): SchemaResult<z.ZodMiniType> {
  if (!Array.isArray(values) || values.length === 0 || !values.every((value) => typeof value === "string")) {
    return { ok: false, problem: `${path}.enum must be a list of texts` };
  }
  return { ok: true, schema: oneOf(values) };
}

function unknownKeyword(path: string, keyword: string): string {
  return `${path} uses "${keyword}", which contracts do not support. Known: ${[...KNOWN_KEYWORDS].join(", ")}`;
}
