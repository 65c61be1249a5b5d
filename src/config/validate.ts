import * as z from "zod/mini";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  ownValue,
  renderKeyPath,
  valueAt,
} from "./json-value.ts";
import { nearestName } from "../lib/nearest-name.ts";
import { IN_ENGLISH } from "../lib/schema.ts";
import { type Locate, type LocatedProblem, MAX_PROBLEMS } from "./problem.ts";

/** As zod says it, but for a key that is unknown: there the message lists those that are known, a line each. */
const WITH_KNOWN_KEYS = {
  error(issue: z.core.$ZodRawIssue) {
    const { inst } = issue;
    return issue.code === "unrecognized_keys" && inst instanceof z.ZodMiniObject
      ? Object.keys(inst.shape).join("\n")
      : IN_ENGLISH.error(issue);
  },
};

type Issue = z.core.$ZodIssue;

/** Dropping a key can bring up a missing one above it, so it takes a few passes; no real file needs more. */
const MAX_PASSES = 8;

/**
 * Checks one source by itself: what the schema refuses is reported and taken out, the rest stays as written.
 * A refused value takes its key with it, or, inside a list, the whole list: half a list would mean something else.
 * @param value changed in place
 */
export function validateSource(
  schema: z.ZodMiniObject,
  value: JsonValue,
  locate: Locate,
): { valid: JsonObject; problems: LocatedProblem[] } {
  if (!isJsonObject(value)) {
    const issue = schema.safeParse(value, IN_ENGLISH).error?.issues[0];
    return { valid: {}, problems: issue ? [wrongValue(issue, value, locate)] : [] };
  }
  const problems: LocatedProblem[] = [];
  const dropped: KeyPath[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const issues = (schema.safeParse(value, WITH_KNOWN_KEYS).error?.issues ?? []).flatMap(unfoldUnion);
    if (issues.length === 0) return { valid: value, problems };
    for (const issue of issues) {
      if (problems.length > MAX_PROBLEMS || isAftermath(issue, value, dropped)) continue;
      problems.push(...describeIssue(issue, value, locate));
    }
    for (const path of issues.flatMap((issue) => offendingPaths(issue, value))) {
      dropped.push(path);
      dropKey(value, path);
    }
  }
  return { valid: {}, problems };
}

function pathOf(issue: Issue): KeyPath {
  return issue.path.filter((segment) => typeof segment !== "symbol");
}

/** A key that is missing only because an earlier pass dropped it has been reported already. */
function isAftermath(issue: Issue, value: JsonObject, dropped: readonly KeyPath[]): boolean {
  if (valueAt(value, pathOf(issue)) !== undefined) return false;
  return dropped.some((path) => path.every((key, i) => key === issue.path[i]));
}

/** A union's issue hides the useful one: that of the branch which got furthest into the value. */
function unfoldUnion(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const deepest = issue.errors.find((branch) => branch.every((inner) => inner.path.length > 0));
  if (!deepest) return [issue];
  return deepest.flatMap((inner) => unfoldUnion({ ...inner, path: [...issue.path, ...inner.path] }));
}

function describeIssue(issue: Issue, value: JsonObject, locate: Locate): LocatedProblem[] {
  if (issue.code !== "unrecognized_keys") return [wrongValue(issue, value, locate)];
  const known = issue.message.split("\n");
  return issue.keys
    .slice(0, MAX_PROBLEMS + 1)
    .map((key) => unknownKey([...pathOf(issue), key], known, locate));
}

function wrongValue(issue: Issue, root: JsonValue, locate: Locate): LocatedProblem {
  const path = pathOf(issue);
  const value = valueAt(root, path);
  const isMissing = value === undefined;
  const branches = leavesOf(issue);
  const allowed = branches.flatMap((leaf) => (leaf.code === "invalid_value" ? leaf.values : []));
  const names = allowed.filter((each) => typeof each === "string");
  const near = typeof value === "string" ? nearestName(value, names) : undefined;
  // The value itself is never quoted: it may be a secret.
  const message = isMissing ? "missing" : [...new Set(branches.map((leaf) => leaf.message))].join(" or ");
  return {
    kind: isMissing ? "missing-key" : "wrong-value",
    message,
    ...(near === undefined ? {} : { suggestion: `Did you mean "${near}"?` }),
    path: renderKeyPath(path),
    ...locate(isMissing ? path.slice(0, -1) : path, "value"),
  };
}

/** An issue, or for a union the issues of its branches. */
function leavesOf(issue: Issue): Issue[] {
  return issue.code === "invalid_union" ? issue.errors.flat().flatMap(leavesOf) : [issue];
}

function unknownKey(path: KeyPath, known: readonly string[], locate: Locate): LocatedProblem {
  const near = nearestName(String(path.at(-1)), known);
  const isAgent = path.length === 2 && path[0] === "agents";
  return {
    kind: "unknown-key",
    message: isAgent ? "unknown agent" : "unknown key",
    suggestion: near === undefined ? `Known here: ${known.join(", ")}.` : `Did you mean "${near}"?`,
    path: renderKeyPath(path),
    ...locate(path, "key"),
  };
}

function offendingPaths(issue: Issue, value: JsonObject): KeyPath[] {
  const path = pathOf(issue);
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => [...path, key]);
  const list = path.findIndex((segment) => typeof segment === "number");
  if (list !== -1) return [path.slice(0, list)];
  return [valueAt(value, path) === undefined ? path.slice(0, -1) : path];
}

function dropKey(root: JsonObject, path: KeyPath): void {
  const key = path.at(-1);
  const parent = valueAt(root, path.slice(0, -1));
  if (key !== undefined && isJsonObject(parent) && ownValue(parent, key) !== undefined) delete parent[key];
}
