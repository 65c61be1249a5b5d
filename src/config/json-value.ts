/** What JSON can say; configuration is held in this form until the schema has checked it. */
export type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject;

/** An object of JSON: plain keys, never `__proto__` or `constructor`. */
export interface JsonObject {
  [key: string]: JsonValue;
}

/** Whether a value is an object of JSON, and not a list or null. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value under a key that the object itself holds; inherited names such as `constructor` are not there. */
export function ownValue(value: JsonValue | undefined, key: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return typeof key === "number" ? value[key] : undefined;
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** Where a value stands, from the top: keys of objects and indices of lists. */
export type KeyPath = readonly (string | number)[];

export function valueAt(root: JsonValue, path: KeyPath): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(ownValue, root);
}

/** A path as a person would write it: `agents.gaia.permission["git *"]`, `definitionOfDone.checks[1]`. */
export function renderKeyPath(path: KeyPath): string {
  return path.map(renderSegment).join("").replace(/^\./, "");
}

const LONGEST_KEY = 60;

function renderSegment(segment: string | number): string {
  if (typeof segment === "number") return `[${segment}]`;
  if (/^[\w$-]{1,60}$/.test(segment)) return `.${segment}`;
  const short = segment.length > LONGEST_KEY ? `${segment.slice(0, LONGEST_KEY)}…` : segment;
  // A key can hold line breaks and terminal escapes; neither may reach a log line or a toast.
  return `[${JSON.stringify(short.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, "?"))}]`;
}
