import * as z from "zod/mini";

type Json = Record<string, unknown>;

/** For the kinds that contracts and tool arguments are made of; zod's own renderer is four times as large. @throws Error for another kind */
export function renderJsonSchema(schema: z.core.$ZodType): Json {
  const { description } = z.globalRegistry.get(schema) ?? {};
  return { ...renderKind(schema), ...(description === undefined ? {} : { description }) };
}

function renderKind(schema: z.core.$ZodType): Json {
  const { def, bag } = (schema as z.core.$ZodTypes)._zod;
  const { minimum, maximum, format } = bag as { minimum?: number; maximum?: number; format?: string };
  switch (def.type) {
    case "boolean":
      return { type: "boolean" };
    case "string":
      return { type: "string", ...within("minLength", minimum), ...within("maxLength", maximum) };
    case "number":
      return {
        type: format === "safeint" ? "integer" : "number",
        ...within("minimum", minimum),
        ...within("maximum", maximum),
      };
    case "enum":
      return { type: "string", enum: Object.values(def.entries) };
    case "array":
      return { type: "array", items: renderJsonSchema(def.element) };
    case "object":
      return renderObject(def.shape);
    case "nullable":
      return { anyOf: [renderJsonSchema(def.innerType), { type: "null" }] };
    case "default":
      return { default: def.defaultValue, ...renderJsonSchema(def.innerType) };
    case "optional":
      return renderJsonSchema(def.innerType);
    case "pipe":
      // What is read beforehand may be anything; it is asked for as it is afterwards.
      if (def.in._zod.def.type === "transform") return renderJsonSchema(def.out);
      return unknownKind(def.type);
    default:
      return unknownKind(def.type);
  }
}

function unknownKind(kind: string): never {
  throw new Error(`A schema of the kind "${kind}" has no JSON Schema here.`);
}

function renderObject(shape: z.core.$ZodShape): Json {
  const fields = Object.entries(shape);
  const required = fields.flatMap(([name, field]) => (field._zod.optin === undefined ? [name] : []));
  return {
    type: "object",
    properties: Object.fromEntries(fields.map(([name, field]) => [name, renderJsonSchema(field)])),
    ...(required.length === 0 ? {} : { required }),
  };
}

function within(name: string, bound: number | undefined): Json {
  return bound === undefined ? {} : { [name]: bound };
}
