import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../config/json-value.ts";
import { canonicalJson } from "../lib/json.ts";
import { isSamePower, shown, type PowerRequest } from "./power.ts";

/** What a rule may know beside the value that it judges. */
export interface Scene {
  /** The name under `agents`; empty for other keys. */
  readonly agent: string;
  /** The configuration as it is without the project's own files. */
  readonly base: JsonObject;
  /** The bound on an agent's steps where nothing is configured; undefined for none. */
  defaultSteps(agent: string): number | undefined;
}

/**
 * Judges what a project writes under one key.
 * @param base the value without the project's files, defaults included; undefined where there is none
 * @returns what of it loosens something; empty for a harmless value. The value holds once all of that is granted.
 */
export type PowerRule = (
  value: JsonValue,
  base: JsonValue | undefined,
  scene: Scene,
) => readonly PowerRequest[];

/** Changes nothing that guards the user: models, sampling, texts, what is shown. */
export const harmless: PowerRule = () => [];

export function wholly(value: JsonValue, what: string): readonly PowerRequest[] {
  return [{ what, value }];
}

/** @param words what a power does, `%` standing for the value */
function say(words: string, value: JsonValue): string {
  return words.replace("%", () => shown(value));
}

/** A power whatever is below it, unless that says the same. */
export function always(words: string): PowerRule {
  return (value, base) => (isSamePower(value, base) ? [] : wholly(value, say(words, value)));
}

/**
 * A choice whose values are more or less tight: a power when it is looser than what is below it. Where the user has
 * switched the handshake off, a profile of theirs may be tighter than the single settings tell, so that only the tightest
 * value is harmless.
 * @param ranks the tightest first
 */
export function looser(
  ranks: readonly JsonValue[],
  words: string,
  options: { readonly isKnob?: true; readonly unset?: JsonValue } = {},
): PowerRule {
  const rankOf = (value: JsonValue = null): number => ranks.indexOf(value);
  return (value, base, scene) => {
    const isSettled = options.isKnob === true && ownValue(scene.base["startup"], "askAtTaskStart") === false;
    const limit = isSettled ? 0 : rankOf(base ?? options.unset);
    const rank = rankOf(value);
    const isTight = rank !== -1 && rank <= limit;
    return isTight ? [] : wholly(value, say(words, value));
  };
}

/** A number that is a power when it is greater than what is below it. @param unset the bound where nothing is set */
export function greater(
  words: string,
  unset: (scene: Scene) => number | undefined = () => undefined,
): PowerRule {
  return (value, base, scene) => {
    const limit = typeof base === "number" ? base : (unset(scene) ?? Infinity);
    return typeof value === "number" && value <= limit ? [] : wholly(value, say(words, value));
  };
}

/** The same for the number of specialists per name; a new name bounds what had no bound. */
export const greaterByName: PowerRule = (value, base) => {
  const isTight = ([name, limit]: [string, JsonValue]): boolean => {
    const below = ownValue(base, name);
    return typeof limit === "number" && (typeof below !== "number" || limit <= below);
  };
  return isJsonObject(value) && Object.entries(value).every(isTight)
    ? []
    : wholly(value, `so many specialists may run at once: ${shown(value)}`);
};

/**
 * A list as one power, where it holds entries that are not below it and `added` says what those do, or leaves out some that are
 * below it and `left` does.
 * @param isHarmless entries that ask for nothing
 */
export function listRule(
  { added, left }: { readonly added?: string; readonly left?: string },
  isHarmless: (entry: JsonValue) => boolean = () => false,
): PowerRule {
  return (value, base) => {
    const [written, known] = [itemsOf(value), itemsOf(base)];
    const fresh = added === undefined ? [] : without(written, known).filter((entry) => !isHarmless(entry));
    const missing = left === undefined ? [] : without(known, written);
    const what = [
      ...fresh.map((entry) => say(added ?? "", entry)),
      ...missing.map((entry) => say(left ?? "", entry)),
    ];
    return what.length === 0
      ? []
      : [{ what: what.join("; "), value: { list: value, missing: [...missing] } }];
  };
}

/** The entries of a list that another one does not hold. */
export function without(list: readonly JsonValue[], other: readonly JsonValue[]): readonly JsonValue[] {
  const known = new Set(other.map(canonicalJson));
  return list.filter((entry) => !known.has(canonicalJson(entry)));
}

export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
