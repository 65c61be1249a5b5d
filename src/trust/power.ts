import { createHash } from "node:crypto";
import { isJsonObject, type JsonValue } from "../config/json-value.ts";
import { canonicalJson } from "../lib/json.ts";
import { visible } from "../lib/text.ts";

/** Something in a project's own files that loosens a limit or makes something run (SPEC 2.10). */
export interface Power {
  /** Of file, key and value together: a yes is to exactly this content. */
  readonly hash: string;
  /** As a person knows it: a path from the project's root, or `plugin options`. */
  readonly file: string;
  /** Where it stands in the file, for example `definitionOfDone.checks`. */
  readonly key: string;
  /** What it does, on one line, with the whole value in it; nothing in it is invisible. */
  readonly what: string;
}

/** A part of a setting that asks for power, before it is known which file it stands in; `tighter` holds without a yes. */
export interface PowerRequest {
  readonly what: string;
  readonly value: JsonValue;
  readonly tighter?: JsonValue;
}

/** Makes the power of a part; the same content gives the same hash, whatever order its keys are written in. */
export function definePower(file: string, key: string, { what, value }: PowerRequest): Power {
  const hash = createHash("sha256").update(canonicalJson({ file, key, value })).digest("hex");
  return { hash, file, key, what };
}

/** Permissions as their order counts, for the last rule that matches holds. */
export function inOrder(rules: Readonly<Record<string, JsonValue>>): JsonValue {
  return Object.entries(rules).map(([tool, rule]) => [
    tool,
    isJsonObject(rule) ? Object.entries(rule) : rule,
  ]);
}

export function isSamePower(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  return a === undefined || b === undefined ? a === b : canonicalJson(a) === canonicalJson(b);
}

/** A value in quotes or as JSON, every character visible. */
export function shown(value: JsonValue): string {
  return visible(JSON.stringify(value));
}
