import { isJsonObject, ownValue, type JsonObject, type JsonValue } from "../config/json-value.ts";
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

export interface Ruling {
  /** Its parts that loosen something; empty for a harmless one. */
  readonly asked: readonly PowerRequest[];
  /** What holds of it when these parts are granted; undefined leaves the key out, so that what stands below applies. */
  apply(isGranted: (asked: PowerRequest) => boolean): JsonValue | undefined;
}

/**
 * Judges what a project writes under one key.
 * @param base the value without the project's files, defaults included; undefined where there is none
 */
export type PowerRule = (value: JsonValue, base: JsonValue | undefined, scene: Scene) => Ruling;

/** Changes nothing that guards the user: models, sampling, texts, what is shown. */
export function harmless(value: JsonValue): Ruling {
  return { asked: [], apply: () => value };
}

export function wholly(value: JsonValue, what: string): Ruling {
  const asked = { what, value };
  return { asked: [asked], apply: (isGranted) => (isGranted(asked) ? value : undefined) };
}

/** What a power does, `%` standing for the value. */
type Words = string | ((value: JsonValue) => string);

function say(words: Words, value: JsonValue): string {
  return typeof words === "string" ? words.replace("%", () => shown(value)) : words(value);
}

/** A power whatever is below it, unless that says the same. */
export function always(words: Words): PowerRule {
  return (value, base) => (isSamePower(value, base) ? harmless(value) : wholly(value, say(words, value)));
}

/**
 * A choice whose values are more or less tight: a power when it is looser than what is below it. Where the user has
 * switched the handshake off, a profile of theirs may be tighter than the single settings tell, so that only the tightest
 * value is harmless.
 * @param ranks the tightest first
 */
export function looser(
  ranks: readonly JsonValue[],
  words: Words,
  options: { readonly isKnob?: true; readonly unset?: JsonValue } = {},
): PowerRule {
  const rankOf = (value: JsonValue = null): number => ranks.indexOf(value);
  return (value, base, scene) => {
    const isSettled = options.isKnob === true && ownValue(scene.base["startup"], "askAtTaskStart") === false;
    const limit = isSettled ? 0 : rankOf(base ?? options.unset);
    const rank = rankOf(value);
    const isTight = rank !== -1 && rank <= limit;
    return isTight ? harmless(value) : wholly(value, say(words, value));
  };
}

/** A number that is a power when it is greater than what is below it. @param unset the bound where nothing is set */
export function greater(
  words: Words,
  unset: (scene: Scene) => number | undefined = () => undefined,
): PowerRule {
  return (value, base, scene) => {
    const limit = typeof base === "number" ? base : (unset(scene) ?? Infinity);
    return typeof value === "number" && value <= limit ? harmless(value) : wholly(value, say(words, value));
  };
}

/** The same for the number of specialists per name; a new name bounds what had no bound. */
export const greaterByName: PowerRule = (value, base) => {
  const isTight = ([name, limit]: [string, JsonValue]): boolean => {
    const below = ownValue(base, name);
    return typeof limit === "number" && (typeof below !== "number" || limit <= below);
  };
  return isJsonObject(value) && Object.entries(value).every(isTight)
    ? harmless(value)
    : wholly(value, `so many specialists may run at once: ${shown(value)}`);
};

/** A list with more entries is one power: nobody says yes to so many one by one, and judging them takes time. */
const MAX_PARTS = 200;

/**
 * A list in which each entry is a power of its own: one that is not below it, where `added` says what it does, and one of what is
 * below it that is left out, where `left` does.
 * @param isHarmless entries that ask for nothing
 */
export function eachEntry(
  { added, left }: { readonly added?: Words; readonly left?: Words },
  isHarmless: (entry: JsonValue) => boolean = () => false,
): PowerRule {
  return (value, base) => {
    const [written, known] = [itemsOf(value), itemsOf(base)];
    const isIn = (list: readonly JsonValue[], entry: JsonValue): boolean =>
      list.some((each) => isSamePower(each, entry));
    if (added !== undefined && written.length > MAX_PARTS) return wholly(value, say(added, value));
    const fresh = written.map((entry) => {
      const asksNothing = added === undefined || isHarmless(entry) || isIn(known, entry);
      return { entry, asked: asksNothing ? null : { what: say(added, entry), value: entry } };
    });
    const missing = known.flatMap((entry) =>
      left === undefined || isIn(written, entry)
        ? []
        : [{ entry, asked: { what: say(left, entry), value: { without: entry } } }],
    );
    return {
      asked: [...fresh, ...missing].flatMap(({ asked }) => asked ?? []),
      apply: (isGranted) => [
        ...missing.flatMap(({ entry, asked }) => (isGranted(asked) ? [] : [entry])),
        ...fresh.flatMap(({ entry, asked }) => (asked === null || isGranted(asked) ? [entry] : [])),
      ],
    };
  };
}

export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
