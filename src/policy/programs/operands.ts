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

/** One operand. */
export const one =
  (fits: (arg: Arg) => boolean): Operands =>
  (operands, from) => {
    const arg = operands[from];
    return arg !== undefined && fits(arg) ? [from + 1] : [];
  };

/** Operands one after the other. */
export const sequence =
  (parts: readonly Operands[]): Operands =>
  (operands, from) =>
    parts.reduce<readonly number[]>(
      (places, part) => [...new Set(places.flatMap((place) => part(operands, place)))],
      [from],
    );

/** One of several. */
export const choice =
  (parts: readonly Operands[]): Operands =>
  (operands, from) =>
    parts.flatMap((part) => part(operands, from));

/** What may stand there several times: each place behind one that fits. */
export function repeated(part: Operands, least: number, most: number): Operands {
  return (operands, from) => {
    const places = new Set<number>(least === 0 ? [from] : []);
    let last: readonly number[] = [from];
    for (let count = 1; count <= most && last.length > 0; count++) {
      last = last.flatMap((place) => part(operands, place)).filter((place) => !places.has(place));
      for (const place of last) places.add(place);
    }
    return [...places];
  };
}
