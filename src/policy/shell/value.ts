import type { HoleKind } from "./arg.ts";

/** What a variable may hold: one of a few known texts, or a kind of unknown text. */
export type Value =
  | { readonly texts: readonly string[] }
  | { readonly kind: Exclude<HoleKind, "glob">; readonly unset?: boolean };

/** More alternatives than this, or longer ones, are not told apart any longer. */
const MAX_TEXTS = 8;
const MAX_LENGTH = 1024;

export const ANYTHING: Value = { kind: "any" };
export const NUMBER: Value = { kind: "number" };

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

/** The value of a variable that holds one or the other. */
export function joinValues(left: Value, right: Value): Value {
  if ("texts" in left && "texts" in right) return knownValue([...left.texts, ...right.texts]);
  const [a, b] = [left, right].map((value) => ("texts" in value ? kindOf(value.texts) : value.kind));
  if (a === undefined || b === undefined) return ANYTHING;
  return { kind: WIDTH[a] > WIDTH[b] ? a : b };
}

/** True when evaluating it as arithmetic runs nothing: bash evaluates names and subscripts it finds in values. */
export function isNumeric(value: Value): boolean {
  return "texts" in value ? value.texts.every((text) => /^-?\d*$/u.test(text)) : value.kind === "number";
}
