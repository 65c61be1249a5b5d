import {
  isJsonObject,
  renderKeyPath,
  valueAt,
  type JsonObject,
  type JsonValue,
  type KeyPath,
} from "../config/json-value.ts";
import { CONFIG_RULES } from "./config-rules.ts";
import { definePower, type Power } from "./power.ts";
import { always, harmless, type PowerRule, type Scene } from "./rule.ts";

/** A configuration that came with a project, as its file says it. */
export interface ProjectConfig {
  /** As powers name it, for example `.gaia/config.jsonc`. */
  readonly file: string;
  readonly written: JsonObject;
  /** The whole configuration as it is without the project's own files, defaults included. */
  readonly base: JsonObject;
  readonly defaultSteps: Scene["defaultSteps"];
}

const UNKNOWN: PowerRule = always("sets something whose meaning is not known: %");

/** Everything in a configuration that loosens what is below it, or makes something run. Pure. */
export function listPowers(config: ProjectConfig): Power[] {
  return judgeLeaves(config).flatMap(({ powers }) => powers);
}

/** What applies of a configuration: all of it but what asks for powers that are not granted. Pure. */
export function withoutPowers(
  config: ProjectConfig,
  isGranted: (hash: string) => boolean = () => false,
): JsonObject {
  const applied: JsonObject = {};
  for (const { path, value, powers } of judgeLeaves(config))
    if (powers.every(({ hash }) => isGranted(hash))) put(applied, path, value);
  return applied;
}

function judgeLeaves({ file, written, base, defaultSteps }: ProjectConfig) {
  return leavesOf(written, []).map(({ path, value, rule }) => {
    const agent = path[0] === "agents" ? String(path[1]) : "";
    const asked = rule(value, valueAt(base, path), { base, agent, defaultSteps });
    return { path, value, powers: asked.map((each) => definePower(file, renderKeyPath(path), each)) };
  });
}

/** The values for which there is a rule; one for which there is none, and nothing below it, is not known. */
function leavesOf(
  value: JsonObject,
  parent: KeyPath,
): { path: KeyPath; value: JsonValue; rule: PowerRule }[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = [...parent, key];
    const pattern = path.map((segment, at) => (path[0] === "agents" && at === 1 ? "*" : segment)).join(".");
    const rule = Object.hasOwn(CONFIG_RULES, pattern) ? CONFIG_RULES[pattern] : undefined;
    if (rule !== undefined) return [{ path, value: inner, rule }];
    const isEmpty = isJsonObject(inner) && Object.keys(inner).length === 0;
    if (isEmpty) return [{ path, value: inner, rule: harmless }];
    return isJsonObject(inner) ? leavesOf(inner, path) : [{ path, value: inner, rule: UNKNOWN }];
  });
}

function put(root: JsonObject, path: KeyPath, value: JsonValue): void {
  let object = root;
  for (const key of path.slice(0, -1)) {
    const known = object[key];
    const inner = isJsonObject(known) ? known : {};
    object[key] = inner;
    object = inner;
  }
  object[String(path.at(-1))] = value;
}
