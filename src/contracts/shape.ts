type JsonSchema = Record<string, unknown>;

/**
 * A JSON Schema as the short type notation that models read best: `{ ok: boolean, errors?: string[] }`.
 * Covers what zod emits for contracts: objects, arrays, enums, constants, unions and scalars.
 */
export function renderShape(schema: JsonSchema): string {
  const options = schema["enum"] ?? (schema["const"] === undefined ? undefined : [schema["const"]]);
  if (Array.isArray(options)) return options.map((value) => JSON.stringify(value)).join(" | ");
  const union = schema["anyOf"] ?? schema["oneOf"];
  if (Array.isArray(union)) return union.map((member) => renderShape(member as JsonSchema)).join(" | ");
  if (schema["type"] === "array") return renderArray(schema);
  if (schema["type"] === "object") return renderObject(schema);
  return typeof schema["type"] === "string" ? schema["type"] : "any";
}

function renderArray(schema: JsonSchema): string {
  const items = renderShape((schema["items"] ?? {}) as JsonSchema);
  return items.includes(" | ") ? `(${items})[]` : `${items}[]`;
}

function renderObject(schema: JsonSchema): string {
  const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
  const required = new Set((schema["required"] ?? []) as string[]);
  if (properties.length === 0) return "object";
  const fields = properties.map(
    ([name, value]) => `${name}${required.has(name) ? "" : "?"}: ${renderShape(value)}`,
  );
  return `{ ${fields.join(", ")} }`;
}
