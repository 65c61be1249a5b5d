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

/** Each part that asks for something is granted or not; null for the others. */
function inParts<T>(
  parts: readonly (readonly [part: T, asked: PowerRequest | null])[],
  build: (parts: T[]) => JsonValue,
): Ruling {
  return {
    asked: parts.flatMap(([, asked]) => asked ?? []),
    apply: (isGranted) =>
      build(parts.filter(([, asked]) => asked === null || isGranted(asked)).map(([part]) => part)),
  };
}

/** The same for the number of specialists per name; a new name bounds what had no bound. */
export const greaterByName: PowerRule = (value, base) => {
  const parts = Object.entries(isJsonObject(value) ? value : {}).map((part) => {
    const [name, limit] = part;
    const below = ownValue(base, name);
    const isTight = typeof limit === "number" && (typeof below !== "number" || limit <= below);
    const what = `${shown(limit)} specialists may run at once on ${shown(name)}`;
    return [part, isTight ? null : { what, value: { name, limit } }] as const;
  });
  return inParts(parts, (granted) => Object.fromEntries(granted));
};

/** A list with more entries is one power: nobody says yes to so many one by one, and judging them takes time. */
export const MAX_PARTS = 200;

/** A list in which each entry that is not below it is a power of its own. @param isHarmless entries that ask for nothing */
export function eachEntry(words: Words, isHarmless: (entry: JsonValue) => boolean = () => false): PowerRule {
  return (value, base) => {
    if (itemsOf(value).length > MAX_PARTS) return wholly(value, say(words, value));
    const known = itemsOf(base);
    const parts = itemsOf(value).map((entry) => {
      const asksNothing = isHarmless(entry) || known.some((each) => isSamePower(each, entry));
      return [entry, asksNothing ? null : { what: say(words, entry), value: entry }] as const;
    });
    return inParts(parts, (granted) => granted);
  };
}

/** A list that tightens: leaving out an entry of what is below it is the power. */
export function eachMissing(words: Words): PowerRule {
  return (value, base) => {
    const written = itemsOf(value);
    const missing = itemsOf(base)
      .filter((entry) => !written.some((each) => isSamePower(each, entry)))
      .map((entry) => ({ entry, asked: { what: say(words, entry), value: { without: entry } } }));
    return {
      asked: missing.map(({ asked }) => asked),
      apply: (isGranted) => [
        ...missing.filter(({ asked }) => !isGranted(asked)).map(({ entry }) => entry),
        ...written,
      ],
    };
  };
}

/** Both: what is new is a power, and so is what is left out. */
export function newAndMissing(describeNew: Words, describeMissing: Words): PowerRule {
  return (value, base, scene) => {
    const added = eachEntry(describeNew)(value, base, scene);
    const left = eachMissing(describeMissing)(value, base, scene);
    return {
      asked: [...added.asked, ...left.asked],
      apply: (isGranted) => {
        const kept = added.apply(isGranted) ?? [];
        return left.asked.length === 0
          ? kept
          : eachMissing(describeMissing)(kept, base, scene).apply(isGranted);
      },
    };
  };
}

export function itemsOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
