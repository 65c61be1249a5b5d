import {
  isJsonObject,
  renderKeyPath,
  valueAt,
  type JsonObject,
  type JsonValue,
  type KeyPath,
} from "./json-value.ts";

/** Where an effective value comes from, the weakest first. */
export type ConfigSource = ConfigLayer["source"] | "default" | "a file that cannot be read";

export interface ConfigLayer {
  readonly source: "preset" | "hands" | "user file" | "project file" | "plugin options";
  readonly value: JsonObject;
}

/**
 * Merges layers, the strongest last: objects key by key, everything else (lists too) replaced whole.
 * A replaced key moves to the end, because in OpenCode's permission patterns the last match wins.
 */
export function mergeLayers(layers: readonly ConfigLayer[]): JsonObject {
  return layers.reduce<JsonObject>((merged, layer) => mergeObjects(merged, layer.value), {});
}

function mergeObjects(base: JsonObject, over: JsonObject): JsonObject {
  const merged = { ...base };
  for (const [key, value] of Object.entries(over)) {
    const below = Object.hasOwn(base, key) ? base[key] : undefined;
    delete merged[key];
    merged[key] = isJsonObject(value) ? mergeObjects(isJsonObject(below) ? below : {}, value) : value;
  }
  return merged;
}

/**
 * Names the source of each effective value, for `doctor`.
 * @param effective the merged configuration with defaults; lists count as one value
 * @returns source by key path as `renderKeyPath` writes it, for example `agents.gaia.model`
 */
export function traceSources(
  effective: JsonObject,
  layers: readonly ConfigLayer[],
): Map<string, ConfigSource> {
  const strongestFirst = layers.toReversed();
  const sourceOf = (path: KeyPath): ConfigSource =>
    strongestFirst.find((layer) => valueAt(layer.value, path) !== undefined)?.source ?? "default";
  return new Map(leafPaths(effective, []).map((path) => [renderKeyPath(path), sourceOf(path)]));
}

/** The paths of all values that hold no others by a key. */
export function leafPaths(value: JsonValue, path: KeyPath): KeyPath[] {
  if (!isJsonObject(value) || (path.length > 0 && Object.keys(value).length === 0)) return [path];
  return Object.entries(value).flatMap(([key, inner]) => leafPaths(inner, [...path, key]));
}
