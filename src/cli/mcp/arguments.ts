/** What an argument may be, as JSON Schema says it. */
export type Argument =
  | { readonly type: "string"; readonly maxLength: number; readonly enum?: readonly string[] }
  | { readonly type: "number" | "integer"; readonly minimum: number; readonly maximum: number }
  | { readonly type: "array"; readonly maxItems: number; readonly items: Argument };

/** A tool's arguments by their names; those in `required` have to be there. */
export interface Arguments {
  readonly properties: Readonly<Record<string, Argument>>;
  readonly required?: readonly string[];
}

/** The schema that clients are shown. */
export function schemaOf({ properties, required = [] }: Arguments) {
  return {
    type: "object" as const,
    properties: { ...properties },
    required: [...required],
    additionalProperties: false,
  };
}

/** What is wrong with the arguments of a call, one sentence each; empty when nothing is. */
export function problemsOf(
  { properties, required = [] }: Arguments,
  given: Record<string, unknown>,
): string[] {
  const missing = required.filter((name) => given[name] === undefined).map((name) => `${name} is missing`);
  const wrong = Object.entries(given).flatMap(([name, value]) => {
    const argument = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (argument === undefined) return [`there is no ${name}`];
    return value === undefined || fits(argument, value) ? [] : [`${name} is not ${describe(argument)}`];
  });
  return [...missing, ...wrong];
}

function fits(argument: Argument, value: unknown): boolean {
  switch (argument.type) {
    case "string": {
      const isText = typeof value === "string" && value !== "" && value.length <= argument.maxLength;
      return isText && (argument.enum?.includes(value) ?? true);
    }
    case "array":
      return (
        Array.isArray(value) &&
        value.length <= argument.maxItems &&
        value.every((item) => fits(argument.items, item))
      );
    case "integer":
    case "number":
      return (
        typeof value === "number" &&
        value >= argument.minimum &&
        value <= argument.maximum &&
        (argument.type === "number" || Number.isInteger(value))
      );
  }
}

function describe(argument: Argument): string {
  if (argument.type === "array")
    return `a list of at most ${argument.maxItems}, each ${describe(argument.items)}`;
  if (argument.type !== "string") return `a number from ${argument.minimum} to ${argument.maximum}`;
  return argument.enum === undefined
    ? `a text of 1 to ${argument.maxLength} characters`
    : `one of ${argument.enum.join(", ")}`;
}
