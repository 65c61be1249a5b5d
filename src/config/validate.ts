import * as z from "zod/mini";
import { type Wording, wordIssue } from "./issue-wording.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type KeyPath,
  ownValue,
  valueAt,
} from "./json-value.ts";
import { nearestName, plainName } from "../lib/nearest-name.ts";
import { MAX_PROBLEMS } from "./problem.ts";

type Schema = z.core.$ZodType;

/** The keys that the schema knows at a path; empty where it knows no fixed ones. */
function keysAt(schema: Schema, path: KeyPath): string[] {
  const target = path.reduce<Schema | undefined>(step, schema);
  return Object.keys(shapeOf(target) ?? {});
}

/** A key of the schema and the path of the object that holds it, `agents.<name>` standing for every agent. */
interface KeyPlace {
  readonly key: string;
  readonly parent: readonly string[];
}

/** Every place where a key of this name belongs, the shallowest first; case and separators do not count. */
function placesOf(schema: Schema, name: string): KeyPlace[] {
  const wanted = plainName(name);
  const places = allPlaces(schema, []).filter(({ key }) => plainName(key) === wanted);
  return places.toSorted((a, b) => a.parent.length - b.parent.length);
}

function allPlaces(schema: Schema, parent: readonly string[]): KeyPlace[] {
  const shape = shapeOf(schema);
  if (!shape) return [];
  const here = Object.keys(shape).map((key) => ({ key, parent }));
  const entries = Object.entries(shape);
  const isAgents = parent.length === 1 && parent[0] === "agents";
  // All agents share one shape, so one of them speaks for all.
  const below = isAgents ? entries.slice(0, 1).map(([, inner]) => ["<name>", inner] as const) : entries;
  return [...here, ...below.flatMap(([key, inner]) => allPlaces(inner, [...parent, key]))];
}

function step(schema: Schema | undefined, segment: string | number): Schema | undefined {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodMiniArray) return inner._zod.def.element;
  const shape = shapeOf(inner);
  return shape && Object.hasOwn(shape, segment) ? shape[segment] : undefined;
}

function shapeOf(schema: Schema | undefined): Record<string, Schema> | undefined {
  const inner = unwrap(schema);
  return inner instanceof z.ZodMiniObject ? inner.shape : undefined;
}

function unwrap(schema: Schema | undefined): Schema | undefined {
  let inner = schema;
  while (
    inner instanceof z.ZodMiniOptional ||
    inner instanceof z.ZodMiniDefault ||
    inner instanceof z.ZodMiniPrefault
  ) {
    inner = inner._zod.def.innerType;
  }
  return inner;
}

type Issue = z.core.$ZodIssue;

/** What is wrong at one path, before anyone knows which file it stood in. */
interface Finding extends Wording {
  readonly path: KeyPath;
  /** The part of the source to point at: a key, or the value at a path. */
  readonly anchor: { readonly path: KeyPath; readonly side: "key" | "value" };
}

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
): { valid: JsonObject; findings: Finding[] } {
  if (!isJsonObject(value)) {
    const issue = schema.safeParse(value).error?.issues[0];
    return { valid: {}, findings: issue ? [valueFinding(issue, value)] : [] };
  }
  const findings: Finding[] = [];
  const dropped: KeyPath[] = [];
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const issues = (schema.safeParse(value).error?.issues ?? []).flatMap(unfoldUnion);
    if (issues.length === 0) return { valid: value, findings };
    for (const issue of issues) {
      if (findings.length > MAX_PROBLEMS || isAftermath(issue, value, dropped)) continue;
      findings.push(...describeIssue(schema, issue, value));
    }
    for (const path of issues.flatMap((issue) => offendingPaths(issue, value))) {
      dropped.push(path);
      dropKey(value, path);
    }
  }
  return { valid: {}, findings };
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

function describeIssue(schema: z.ZodMiniObject, issue: Issue, value: JsonObject): Finding[] {
  if (issue.code !== "unrecognized_keys") return [valueFinding(issue, value)];
  const keys = issue.keys.slice(0, MAX_PROBLEMS + 1);
  return keys.map((key) => unknownKey(schema, pathOf(issue), key));
}

function valueFinding(issue: Issue, root: JsonValue): Finding {
  const path = pathOf(issue);
  const value = valueAt(root, path);
  const anchor = value === undefined ? path.slice(0, -1) : path;
  return { ...wordIssue(issue, value), path, anchor: { path: anchor, side: "value" } };
}

function unknownKey(schema: z.ZodMiniObject, parent: KeyPath, key: string): Finding {
  const allowed = keysAt(schema, parent);
  const suggestion = adviseOnKey(schema, key, allowed);
  const isAgent = parent.length === 1 && parent[0] === "agents";
  const path = [...parent, key];
  return {
    kind: "unknown-key",
    message: isAgent ? "unknown agent" : "unknown key",
    allowed,
    ...(suggestion === "" ? {} : { suggestion }),
    path,
    anchor: { path, side: "key" },
  };
}

/** A key is misspelt, or stands in the wrong place; where both may be, both are said. */
function adviseOnKey(schema: z.ZodMiniObject, key: string, siblings: readonly string[]): string {
  const near = nearestName(key, siblings);
  const didYouMean = near === undefined ? "" : `Did you mean "${near}"?`;
  const place = placesOf(schema, key)[0];
  if (!place || siblings.includes(place.key)) return didYouMean;
  const parent = place.parent.length === 0 ? "at the top level" : `under "${place.parent.join(".")}"`;
  return `"${place.key}" belongs ${parent}. ${didYouMean}`.trimEnd();
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
