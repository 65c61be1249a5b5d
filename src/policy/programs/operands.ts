import { type Arg, leading, textOf } from "../shell/arg.ts";

/** Where the operands may end that begin at `from` and fit: none, one or several places. */
export type Operands = (operands: readonly Arg[], from: number) => readonly number[];

const matching =
  (pattern: RegExp) =>
  (arg: Arg): boolean => {
    const text = textOf(arg);
    return text !== undefined && pattern.test(text);
  };

/** Operands and values by kind; all but `F` are texts that are known, and cannot be taken for an option. */
const CLASSES: Readonly<Record<string, (arg: Arg) => boolean>> = {
  W: matching(/^[^-]/u),
  N: matching(/^\d+$/u),
  I: matching(/^\w[\w.:/@-]*$/u),
  F: (arg) => !leading(arg).startsWith("+"),
  P: (arg) => leading(arg).startsWith("+") && !arg.many,
  L: (arg) =>
    !leading(arg).includes(":") &&
    !arg.many &&
    arg.pieces.every(
      (piece) => typeof piece === "string" || piece.kind === "operand" || piece.kind === "name",
    ),
};

/** What fits a kind that a usage line names: one letter, or an expression between slashes for the whole text. */
export function kindOf(source: string): (arg: Arg) => boolean {
  if (source.startsWith("/")) {
    const end = source.lastIndexOf("/");
    return matching(new RegExp(`^(?:${source.slice(1, end)})$`, `u${source.slice(end + 1)}`));
  }
  const kind = CLASSES[source];
  if (kind === undefined) throw new Error(`there is no kind ${source}`);
  return kind;
}

const NOWHERE: readonly number[] = [];

/** One operand. */
export const one =
  (fits: (arg: Arg) => boolean): Operands =>
  (operands, from) => {
    const arg = operands[from];
    return arg !== undefined && fits(arg) ? [from + 1] : NOWHERE;
  };

/** The texts that a part stands for, where it stands for nothing else: a choice of many of them is one look-up. */
const textsOf = new WeakMap<Operands, readonly string[]>();

/** One of these words, to the letter. */
export function oneOf(words: readonly string[]): Operands {
  const known = new Set<string | undefined>(words);
  const part = one((arg) => known.has(textOf(arg)));
  textsOf.set(part, words);
  return part;
}

/** Operands one after the other. */
export function sequence(parts: readonly Operands[]): Operands {
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return (operands, from) => {
    let places: readonly number[] = [from];
    for (const part of parts) {
      const [place, another] = places;
      if (place === undefined) return NOWHERE;
      places =
        another === undefined
          ? part(operands, place)
          : [...new Set(places.flatMap((each) => part(operands, each)))];
    }
    return places;
  };
}

/** One of several. */
export function choice(parts: readonly Operands[]): Operands {
  const words = parts.flatMap((part) => textsOf.get(part) ?? []);
  const others = parts.filter((part) => !textsOf.has(part));
  const [first, ...further] = words.length === 0 ? others : [oneOf(words), ...others];
  if (first === undefined || further.length === 0) return first ?? (() => NOWHERE);
  return (operands, from) => {
    let places = first(operands, from);
    for (const part of further) {
      const more = part(operands, from);
      if (more.length > 0) places = places.length === 0 ? more : [...places, ...more];
    }
    return places;
  };
}

/** What may stand there several times: each place behind one that fits. */
export function repeated(part: Operands, least: number, most: number): Operands {
  return (operands, from) => {
    if (least === 0 && part(operands, from).length === 0) return [from];
    const places = new Set<number>(least === 0 ? [from] : []);
    let last: readonly number[] = [from];
    for (let count = 1; count <= most && last.length > 0; count++) {
      last = last.flatMap((place) => part(operands, place)).filter((place) => !places.has(place));
      for (const place of last) places.add(place);
    }
    return [...places];
  };
}
