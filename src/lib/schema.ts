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

/** What is wrong with a value, a line for each of the first `most` problems. */
export function describeIssues({ issues }: z.core.$ZodError, most: number): string[] {
  return issues
    .slice(0, most)
    .map(({ path, message }) => `${path.map(String).join(".") || "the object"}: ${message}`);
}

export const orElse = z.catch;
export const savedFlag = (other = false) => orElse(z.boolean(), other);
export const savedCount = () => orElse(z.number().check(z.nonnegative()), 0);

/** Those that fit, from the newest on, in their order. @param room characters of JSON */
export function newestWithin<T>(values: readonly T[], room: number): T[] {
  let left = room;
  const first = values.findLastIndex((value) => {
    left -= JSON.stringify(value).length + 1;
    return left <= 0;
  });
  return values.slice(first + 1);
}
