import { isRecord, recordOf } from "../../src/lib/json.ts";

/**
 * The smallest value that a JSON Schema describes, with the words of `text` as every text.
 * @param optional whether it also has what may be left out
 * @param entries how many each list has
 */
export function sampleOf(schema: unknown, text = "x", optional = false, entries = 1): unknown {
  const { type, anyOf, enum: values, const: only, properties, required, items, minimum } = recordOf(schema);
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  if (Array.isArray(anyOf)) return sampleOf(anyOf[0], text, optional, entries);
  if (type === "string") return text;
  if (type === "number" || type === "integer") return minimum ?? 1;
  if (type === "boolean") return true;
  if (type === "array")
    return Array.from({ length: entries }, () => sampleOf(items, text, optional, entries));
  if (!isRecord(properties)) return {};
  const isIn = (name: string): boolean => optional || (Array.isArray(required) && required.includes(name));
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) =>
      isIn(name) ? [[name, sampleOf(each, text, optional, entries)]] : [],
    ),
  );
}
