import type * as z from "zod/mini";
import type { JsonValue } from "./json-value.ts";
import { nearestName } from "../lib/nearest-name.ts";
import type { ConfigProblem } from "./problem.ts";

type Issue = z.core.$ZodIssue;

export type Wording = Pick<ConfigProblem, "kind" | "message" | "allowed" | "suggestion">;

/** Says in words what the schema holds against a value. The value itself is never quoted: it may be a secret. */
export function wordIssue(issue: Issue, value: JsonValue | undefined): Wording {
  const allowed = expectations(issue);
  const expected = allowed.length === 0 ? {} : { allowed };
  if (value === undefined) return { kind: "missing-key", message: "missing", ...expected };
  const near = typeof value === "string" ? nearestName(value, enumValues(issue)) : undefined;
  return {
    kind: "wrong-value",
    message: describeMismatch(issue, value),
    ...expected,
    ...(near === undefined ? {} : { suggestion: `Did you mean "${near}"?` }),
  };
}

function describeMismatch(issue: Issue, value: JsonValue): string {
  if (issue.code === "too_small" || issue.code === "too_big") return value === "" ? "empty" : "out of range";
  if (issue.code === "invalid_key") return "not an allowed key";
  const found = kindOf(value);
  const kinds = new Set(leaves(issue).map(expectedKind));
  return kinds.has(found) ? "not an allowed value" : `found ${found}`;
}

/** An issue, or for a union the issues of its branches. */
function leaves(issue: Issue): Issue[] {
  return issue.code === "invalid_union" ? issue.errors.flat().flatMap(leaves) : [issue];
}

function expectations(issue: Issue): string[] {
  return [...new Set(leaves(issue).flatMap(expectation))];
}

function expectation(issue: Issue): string[] {
  switch (issue.code) {
    case "invalid_value":
      return issue.values.map((value) => JSON.stringify(value));
    case "invalid_format":
      return [TYPE_WORDS[issue.format] ?? issue.format];
    case "invalid_type":
      return [TYPE_WORDS[issue.expected] ?? issue.expected];
    case "too_small":
      return [issue.origin === "string" ? "text" : `at least ${issue.minimum}`];
    case "too_big":
      return [`at most ${issue.maximum}`];
    default:
      return [];
  }
}

function enumValues(issue: Issue): string[] {
  const values = leaves(issue).flatMap((leaf) => (leaf.code === "invalid_value" ? leaf.values : []));
  return values.filter((value) => typeof value === "string");
}

function expectedKind(issue: Issue): string {
  return issue.code === "invalid_type" ? (TYPE_WORDS[issue.expected] ?? issue.expected) : "text";
}

const TYPE_WORDS: Record<string, string> = {
  string: "text",
  template_literal: "a model as provider/model",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};

function kindOf(value: JsonValue): string {
  if (value === null || typeof value === "boolean") return `${value}`;
  return TYPE_WORDS[Array.isArray(value) ? "array" : typeof value] ?? "text";
}
