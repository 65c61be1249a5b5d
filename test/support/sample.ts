import { isRecord, recordOf } from "../../src/lib/json.ts";

/**
 * The smallest value that a JSON Schema describes, with one entry in each list and the words of `text` as every text.
 * @param optional whether it also has what may be left out
 */
export function sampleOf(schema: unknown, text = "x", optional = false): unknown {
  const { type, anyOf, enum: values, const: only, properties, required, items, minimum } = recordOf(schema);
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return sampleOf(anyOf[0], text, optional);
  if (type === "string") return text;
  if (type === "number" || type === "integer") return minimum ?? 1;
  if (type === "boolean") return true;
  if (type === "array") return [sampleOf(items, text, optional)];
  if (!isRecord(properties)) return {};
  const isIn = (name: string): boolean => optional || (Array.isArray(required) && required.includes(name));
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) =>
      isIn(name) ? [[name, sampleOf(each, text, optional)]] : [],
    ),
  );
}
