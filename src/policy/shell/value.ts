import type { HoleKind } from "./arg.ts";

/** What a variable may hold: one of a few known texts, or a kind of unknown text. */
export type Value =
  | { readonly texts: readonly string[] }
  | {
      readonly kind: Exclude<HoleKind, "glob">;
      readonly unset?: boolean;
      /** As `Hole.samples`. */
      readonly samples?: readonly string[];
    };

/** More alternatives than this, or longer ones, are not told apart any longer. */
const MAX_TEXTS = 8;
const MAX_LENGTH = 1024;

/** Samples of one value that are kept. */
const MAX_SAMPLES = 32;

export const ANYTHING: Value = { kind: "any" };
export const NUMBER: Value = { kind: "number" };
/** The number of a process that the script itself began, by an example that no other value has. */
export const LAST_JOB: Value = { kind: "number", samples: ["$!"] };

/** The narrowest kind that describes all of these texts. */
function kindOf(texts: readonly string[]): Exclude<HoleKind, "glob"> {
  if (texts.every((text) => /^-?\d+$/u.test(text))) return "number";
  if (texts.every((text) => /^[^-\s*?[][^\s*?[]*$/u.test(text))) return "name";
  return texts.every((text) => /^[^-]/u.test(text)) ? "operand" : "any";
}

/** A value made of known texts, or of their kind when there are too many to follow. */
export function knownValue(texts: readonly string[]): Value {
  const unique = [...new Set(texts)];
  const followed = unique.length <= MAX_TEXTS && unique.every((text) => text.length <= MAX_LENGTH);
  return followed ? { texts: unique } : { kind: kindOf(unique) };
}

const WIDTH = { number: 0, name: 1, words: 2, operand: 3, any: 4 } as const;

/** The texts that a value is known to be able to hold. */
export function samplesOf(value: Value): readonly string[] {
  return "texts" in value ? value.texts : (value.samples ?? []);
}

/** Something unknown, of which some examples are known. */
export function sampled(samples: readonly string[], kind: Exclude<HoleKind, "glob"> = "any"): Value {
  const kept = [...new Set(samples)].filter((text) => text.length <= MAX_LENGTH).slice(0, MAX_SAMPLES);
  return kept.length === 0 ? { kind } : { kind, samples: kept };
}

/** The value of a variable that holds one or the other. */
export function joinValues(left: Value, right: Value): Value {
  if ("texts" in left && "texts" in right) {
    const both = [...left.texts, ...right.texts];
    const known = knownValue(both);
    return "texts" in known ? known : sampled(both, known.kind);
  }
  const [a, b] = [left, right].map((value) => ("texts" in value ? kindOf(value.texts) : value.kind));
  const kind = a === undefined || b === undefined ? "any" : WIDTH[a] > WIDTH[b] ? a : b;
  const samples = [samplesOf(left), samplesOf(right)];
  const isJob = samples.every((each) => each.includes("$!"));
  return sampled(
    samples.flat().filter((text) => isJob || text !== "$!"),
    kind,
  );
}

/** True when evaluating it as arithmetic runs nothing: bash evaluates names and subscripts it finds in values. */
export function isNumeric(value: Value): boolean {
  return "texts" in value ? value.texts.every((text) => /^-?\d*$/u.test(text)) : value.kind === "number";
}
