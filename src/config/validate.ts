import * as z from "zod/mini";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KeyPath,
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
      if (issue.code !== "unrecognized_keys") problems.push(wrongValue(issue, value, locate));
      else problems.push(...unknownKeys(issue, value, schema, locate));
    }
    for (const path of issues.flatMap((issue) => offendingPaths(issue, value))) {
      dropped.push(path);
      const [parent, key] = [valueAt(value, path.slice(0, -1)), path.at(-1)];
      if (isJsonObject(parent) && typeof key === "string" && Object.hasOwn(parent, key)) delete parent[key];
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

/** A union's issue hides the useful one: that of the branch which takes values of this kind, and finds fault inside. */
function unfoldUnion(issue: Issue): Issue[] {
  if (issue.code !== "invalid_union") return [issue];
  const inside = issue.errors.find((branch) =>
    branch.every((inner) => inner.path.length > 0 || inner.code === "unrecognized_keys"),
  );
  if (!inside) return [issue];
  return inside.flatMap((inner) => unfoldUnion({ ...inner, path: [...issue.path, ...inner.path] }));
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

function unknownKeys(issue: Issue, value: JsonObject, schema: z.ZodMiniObject, locate: Locate) {
  const known = issue.message.split("\n");
  return offendingPaths(issue, value).map((path): LocatedProblem => {
    const near = nearestName(String(path.at(-1)), known);
    const places = near === undefined ? placesOf(schema, path.at(-1)) : [[near]];
    const names = new Set(places.map((place) => renderKeyPath(place).replace('["<name>"]', ".<name>")));
    const [verb, all] =
      names.size > 0 ? ["It belongs to", [...names].join(" or ")] : ["Known here:", known.join(", ")];
    // What holds keys or values of its own may be any section under another name.
    const isSection = path.length === 1 && typeof valueAt(value, path) === "object";
    return {
      kind: "unknown-key",
      message: path.length === 2 && path[0] === "agents" ? "unknown agent" : "unknown key",
      suggestion: near === undefined ? `${verb} ${all}.` : `Did you mean "${near}"?`,
      path: renderKeyPath(path),
      meant: places.length === 0 && isSection ? "any" : places.map(([first]) => String(first)),
      ...locate(path, "key"),
    };
  });
}

/** Where keys of this name stand in a configuration. */
function placesOf(schema: z.core.$ZodType, name: string | number | undefined, path: KeyPath = []): KeyPath[] {
  const { def } = schema._zod as z.core.$ZodTypes["_zod"];
  if (def.type === "object")
    return Object.entries(def.shape).flatMap(([key, inner]) => {
      // Every agent has the same keys.
      const place = [...path, path[0] === "agents" && path.length === 1 ? "<name>" : key];
      return [...(key === name ? [place] : []), ...placesOf(inner, name, place)];
    });
  if (def.type === "union") return def.options.flatMap((option) => placesOf(option, name, path));
  if (def.type === "array") return placesOf(def.element, name, [...path, 0]);
  return "innerType" in def ? placesOf(def.innerType, name, path) : [];
}

function offendingPaths(issue: Issue, value: JsonObject): KeyPath[] {
  const path = pathOf(issue);
  if (issue.code === "unrecognized_keys") return issue.keys.map((key) => [...path, key]);
  const list = path.findIndex((segment) => typeof segment === "number");
  if (list !== -1) return [path.slice(0, list)];
  return [valueAt(value, path) === undefined ? path.slice(0, -1) : path];
}
