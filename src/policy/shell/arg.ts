/**
 * What is known of a text that only the shell will know in full.
 * `number`: an integer. `name`: one word that does not begin with a dash. `words`: several of those.
 * `operand`: does not begin with a dash, blanks possible. `glob`: a pathname pattern. `any`: nothing is known.
 */
export type HoleKind = "number" | "name" | "words" | "operand" | "glob" | "any";

/** A part of an argument whose text is decided at run time. */
export interface Hole {
  readonly kind: HoleKind;
  /** How it stands in the source, for messages and for pattern matching. */
  readonly text: string;
  /** The shell may split it into several arguments, each of which may look like anything. */
  readonly split: boolean;
  /** It comes from a variable that the script never sets, so it may well be empty. */
  readonly unset?: boolean;
  /** Texts that it may be, among others: enough to find danger, never to call something harmless. */
  readonly samples?: readonly string[];
}

export type Piece = string | Hole;

/** One argument as a program will see it; neighbouring literal pieces are merged. */
export interface Arg {
  readonly pieces: readonly Piece[];
  /** It may turn out to be none or several arguments. */
  readonly many: boolean;
}

export function literal(text: string): Arg {
  return { pieces: text === "" ? [] : [text], many: false };
}

export function unknown(text: string, many = false): Arg {
  return { pieces: [{ kind: "any", text, split: many }], many };
}

/** The whole text when it is known, else undefined. */
export function textOf(arg: Arg | undefined): string | undefined {
  if (arg === undefined || arg.many) return undefined;
  if (arg.pieces.length === 0) return "";
  const [first, second] = arg.pieces;
  return second === undefined && typeof first === "string" ? first : undefined;
}

/** The whole text with `1` for every number that the shell fills in, undefined when more than numbers are open. */
export function textWithNumbers(arg: Arg): string | undefined {
  const texts = arg.pieces.map((piece) =>
    typeof piece !== "string" && piece.kind === "number" ? "1" : piece,
  );
  return arg.many || !texts.every((text) => typeof text === "string") ? undefined : texts.join("");
}

/** The known text before the first hole. */
export function leading(arg: Arg): string {
  const first = arg.pieces[0];
  return typeof first === "string" ? first : "";
}

/** The argument as a reader would write it, holes included. */
export function shown(arg: Arg): string {
  const [first = "", second] = arg.pieces;
  if (second === undefined) return typeof first === "string" ? first : first.text;
  return arg.pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
}

/** True when a program could take this argument, or a part the shell splits off it, for an option it was not shown. */
export function mayHideOption(arg: Arg): boolean {
  for (const [index, piece] of arg.pieces.entries()) {
    if (typeof piece === "string") continue;
    if (piece.split && piece.kind !== "words") return true;
    if (index === 0 && (piece.kind === "any" || piece.kind === "glob")) return true;
  }
  return false;
}

/** Joins pieces, merging neighbouring literals and dropping empty ones. */
export function mergePieces(pieces: readonly Piece[]): Piece[] {
  const merged: Piece[] = [];
  for (const piece of pieces) {
    const last = merged.at(-1);
    if (piece === "") continue;
    if (typeof piece === "string" && typeof last === "string") merged[merged.length - 1] = last + piece;
    else merged.push(piece);
  }
  return merged;
}
