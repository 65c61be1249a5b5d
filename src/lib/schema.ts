import * as z from "zod/mini";
import english from "zod/v4/locales/en.js";

// The MCP library's schemas would compile functions out of text.
z.config({ jitless: true });

/** For parsing where someone reads the messages: this form of zod has no words of its own. */
export const IN_ENGLISH = { error: english().localeError } as const;

/**
 * A schema that says what its value is for: in a JSON Schema, and as the property `description`, which is where OpenCode
 * looks for it in the arguments of a tool.
 * @returns another schema; the given one stays without
 */
export function describe<S extends z.ZodMiniType>(schema: S, description: string): S {
  const described = schema.clone();
  z.globalRegistry.add(described, { description });
  return Object.assign(described, { description });
}

/** A schema for what `read` makes of a value. */
export function preprocess<S extends z.ZodMiniType>(
  read: (value: unknown) => unknown,
  schema: S,
): z.ZodMiniPipe<z.ZodMiniTransform, S> {
  return z.pipe(z.transform(read), schema);
}
