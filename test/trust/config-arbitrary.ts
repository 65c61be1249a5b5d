import * as fc from "fast-check";
import type { JsonSchema } from "../../src/config/json-schema.ts";
import { recordOf } from "../../src/lib/json.ts";
import type { JsonValue } from "../../src/config/json-value.ts";
import { readCases } from "../support/cases.ts";

/** Texts that mean something somewhere: names of tools, patterns, models, paths. */
const TEXTS = readCases<string>("trust/config-arbitrary.texts");
const MOST = 3;

/** Values that a JSON Schema allows; of numbers, those near the bounds that people set. */
export function arbitraryOf(
  schema: JsonSchema | boolean | undefined,
  root?: JsonSchema,
): fc.Arbitrary<JsonValue> {
  if (typeof schema !== "object") return fc.constant(null);
  const top = root ?? schema;
  if (schema.$ref !== undefined) {
    const definitions = recordOf(top.definitions);
    return arbitraryOf(definitions[schema.$ref.split("/").at(-1) ?? ""] as JsonSchema, top);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...(schema.enum as JsonValue[]));
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((choice) => arbitraryOf(choice, top)));
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
    case "number": {
      const [least, most] = [Math.ceil(schema.minimum ?? 0), schema.maximum ?? 1_000];
      return fc.integer({ min: least, max: Math.min(most, 250) });
    }
    case "string":
      if (schema.format === "uri") return fc.constant("https://example.org/hook");
      return schema.pattern === undefined ? fc.constantFrom(...TEXTS) : fc.constant("provider/model");
    case "array":
      return fc.array(arbitraryOf(schema.items as JsonSchema, top), { maxLength: MOST });
    case "object":
      return schema.properties === undefined ? dictionary(schema, top) : record(schema, top);
    default:
      return fc.constant(null);
  }
}

function dictionary(schema: JsonSchema, top: JsonSchema): fc.Arbitrary<JsonValue> {
  const entry = fc.tuple(
    fc.constantFrom(...TEXTS),
    arbitraryOf(schema.additionalProperties as JsonSchema, top),
  );
  return fc.array(entry, { maxLength: MOST }).map((entries) => Object.fromEntries(entries));
}

function record(schema: JsonSchema, top: JsonSchema): fc.Arbitrary<JsonValue> {
  const fields = Object.entries(schema.properties ?? {}).map(([key, inner]) => [
    key,
    arbitraryOf(inner, top),
  ]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<JsonValue>>, {
    requiredKeys: schema.required ?? [],
  });
}
