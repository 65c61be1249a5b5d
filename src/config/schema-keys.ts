import * as z from "zod/mini";
import type { KeyPath } from "./json-value.ts";
import { plainName } from "./nearest-name.ts";

type Schema = z.core.$ZodType;

/** The keys that the schema knows at a path; empty where it knows no fixed ones. */
export function keysAt(schema: Schema, path: KeyPath): string[] {
  const target = path.reduce<Schema | undefined>(step, schema);
  return Object.keys(shapeOf(target) ?? {});
}

/** A key of the schema and the path of the object that holds it, `agents.<name>` standing for every agent. */
export interface KeyPlace {
  readonly key: string;
  readonly parent: readonly string[];
}

/** Every place where a key of this name belongs, the shallowest first; case and separators do not count. */
export function placesOf(schema: Schema, name: string): KeyPlace[] {
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
