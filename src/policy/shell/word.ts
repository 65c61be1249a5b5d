import type { Assignment, Word, WordPart } from "unbash";
import { type Arg, literal, mergePieces, type Piece, textOf } from "./arg.ts";
import { expandBraces } from "./braces.ts";
import { type Choice, choicesOf, type Fragment } from "./fragment.ts";
import type { Scope } from "./scope.ts";
import { ANYTHING, joinValues, knownValue, sampled, type Value } from "./value.ts";

/** What a word may turn into: alternatives, each of them a list of arguments. */
export type Slot = readonly (readonly Arg[])[];

/** Alternatives of one word, or of one command, beyond which they are folded into one unknown. */
const MAX_ALTERNATIVES = 24;
const MAX_BRACE_WORDS = 64;
/** Characters of known text in one word, after which it counts as unknown. */
const MAX_TEXT = 256 * 1024;

/** Splits text at its pathname pattern characters, so that patterns are seen as such. */
function patternPieces(text: string): Piece[] {
  return text
    .split(/([*?[\]]+)/u)
    .filter((piece) => piece !== "")
    .map((piece) => (/^[*?[\]]/u.test(piece) ? { kind: "glob", text: piece, split: false } : piece));
}

function toArg(pieces: readonly Piece[]): Arg {
  const many = pieces.some((piece) => typeof piece !== "string" && (piece.split || piece.kind === "glob"));
  return { pieces: mergePieces(pieces), many };
}

/** Splits the fragments of one word into arguments, as the shell does after expansion. */
function fields(fragments: readonly Fragment[]): Arg[] {
  const done: Arg[] = [];
  let open: Piece[] = [];
  let started = false;
  const close = (): void => {
    if (started) done.push(toArg(open));
    open = [];
    started = false;
  };
  for (const fragment of fragments) {
    const whole = "kind" in fragment || !fragment.expanded;
    const parts = whole ? [] : fragment.text.split(/[ \t\n]+/u);
    if (whole) open.push("kind" in fragment ? fragment : fragment.text);
    started ||= whole;
    for (const [index, part] of parts.entries()) {
      if (index > 0) close();
      open.push(...patternPieces(part));
      started ||= part !== "";
    }
  }
  close();
  return done;
}

/** Every combination of one alternative from each list, undefined when there are too many. */
export function combinations<T>(lists: readonly (readonly T[])[]): T[][] | undefined {
  let found: T[][] = [[]];
  for (const list of lists) {
    if (found.length * list.length > MAX_ALTERNATIVES) return undefined;
    found = list.length === 1 && list[0] !== undefined ? append(found, list[0]) : multiply(found, list);
  }
  return found;
}

/** Extends in place: a long command with no choice in it must not cost quadratic time. */
function append<T>(found: T[][], item: T): T[][] {
  for (const combination of found) combination.push(item);
  return found;
}

function multiply<T>(found: readonly T[][], list: readonly T[]): T[][] {
  return found.flatMap((combination) => list.map((item) => [...combination, item]));
}

function unknownWord(text: string): Slot {
  return [[{ pieces: [{ kind: "any", text, split: true }], many: true }]];
}

/** A word that a brace expansion leaves empty: bash drops it, other shells may keep it. */
const EMPTY_WORD: Slot = [[], [literal("")]];

/** The part lists of the words that a word's braces make, undefined when there are too many. */
function withoutBraces(parts: readonly WordPart[]): WordPart[][] | undefined {
  let lists: WordPart[][] = [[]];
  for (const part of parts) {
    const texts = part.type === "BraceExpansion" ? expandBraces(part.text) : undefined;
    const { pos, end } = part;
    const choices: WordPart[][] = texts?.map((text) =>
      text === "" ? [] : [{ type: "Literal", value: text, text, pos, end }],
    ) ?? [[part]];
    if (lists.length * choices.length > MAX_BRACE_WORDS) return undefined;
    lists = lists.flatMap((list) => choices.map((choice) => [...list, ...choice]));
  }
  return lists;
}

/** The ways in which a word may turn out, undefined when there are too many or they are too long. */
function waysOf(choices: readonly Choice[]): Fragment[][] | undefined {
  let length = 0;
  for (const choice of choices) for (const fragment of choice) length += fragment.text.length;
  return length > MAX_TEXT ? undefined : combinations(choices);
}

function slotOf(choices: readonly Choice[], text: string): Slot {
  const combined = waysOf(choices);
  return combined === undefined ? unknownWord(text) : combined.map((fragments) => fields(fragments));
}

/** What the shell may make of a word among arguments: one slot, or several when it holds braces. */
export function resolveWord(word: Word, scope: Scope): Slot[] {
  const { parts, text } = word;
  if (parts === undefined && !text.startsWith("~") && !text.includes("{")) return [[[literal(word.value)]]];
  if (parts?.some((part) => part.type === "BraceExpansion") !== true) {
    return [slotOf(choicesOf(word, parts, scope, false), word.text)];
  }
  const lists = withoutBraces(parts);
  if (lists === undefined) return [unknownWord(word.text)];
  return lists.map((list) =>
    list.length === 0 ? EMPTY_WORD : slotOf(choicesOf(word, list, scope, false), word.text),
  );
}

/** An argument of the form `name=value`, as `export` and its like take it. */
export function resolveAssignment({ name, value, append, index, text }: Assignment, scope: Scope): Slot {
  if (value.type !== "Word" || append === true || index !== undefined) return unknownWord(text);
  const combined = waysOf(choicesOf(value, value.parts, scope, true)) ?? [
    [{ kind: "any", text, split: false }],
  ];
  return combined.map((fragments) => [
    toArg([`${name}=`, ...fragments.map((part) => ("kind" in part ? { ...part, split: false } : part.text))]),
  ]);
}

/** The value of a variable that is assigned this argument. */
function valueOfArg({ pieces, many }: Arg): Value {
  const [first, second] = pieces;
  const samples = pieces.flatMap((piece) => (typeof piece === "object" ? (piece.samples ?? []) : []));
  if (pieces.some((piece) => typeof piece !== "string" && piece.split && piece.kind !== "words"))
    return sampled(samples);
  if (first === undefined) return { texts: [""] };
  if (typeof first === "string") {
    if (second === undefined && !many) return knownValue([first]);
    return sampled(matchOf(pieces), /^[^-\s]/u.test(first) ? "operand" : "any");
  }
  if (second !== undefined || first.kind === "glob") {
    return sampled(samples, /^(?:name|operand)$/u.test(first.kind) && !many ? "operand" : "any");
  }
  return first.unset === true ? { kind: "any", unset: true } : sampled(samples, first.kind);
}

function joinAll(values: readonly Value[]): Value {
  return values.length === 0 ? knownValue([""]) : values.reduce((left, right) => joinValues(left, right));
}

/** What a variable holds after `name=word`. */
export function assignedValue(word: Word, scope: Scope): Value {
  const combined = waysOf(choicesOf(word, word.parts, scope, true));
  if (combined === undefined) return ANYTHING;
  const kept = combined.map((fragments) =>
    toArg(fragments.map((fragment) => ("kind" in fragment ? { ...fragment, split: false } : fragment.text))),
  );
  return joinAll(kept.map((arg) => valueOfArg(arg)));
}

/** What the elements of an array, or positional parameters, may hold: examples only. */
export function listValue(words: readonly Word[], scope: Scope): Value {
  return sampled(
    samplesOfArgs(words.flatMap((word) => resolveWord(word, scope).flatMap((slot) => slot.flat()))),
  );
}

/** The texts that arguments are known to be able to be. */
export function samplesOfArgs(args: readonly Arg[]): string[] {
  return args.flatMap((arg) => {
    const text = textOf(arg);
    if (text !== undefined) return [text];
    const samples = arg.pieces.flatMap((piece) => (typeof piece === "object" ? (piece.samples ?? []) : []));
    return [...samples, ...matchOf(arg.pieces)];
  });
}

/** A path that a pattern fits, as an example. */
function matchOf(pieces: readonly Piece[]): string[] {
  const texts = pieces.map((piece) =>
    typeof piece === "string" ? piece : piece.kind === "glob" ? piece.text.replaceAll(/[^/]+/gu, "x") : null,
  );
  return texts.includes(null) ? [] : [texts.join("")];
}

/** What a loop variable may hold over these words. */
export function loopValue(words: readonly Word[], scope: Scope): Value {
  const args = words.flatMap((word) => resolveWord(word, scope).flatMap((slot) => slot.flat()));
  return joinAll(args.map((arg) => loopItem(arg)));
}

/** Split text reaches a loop variable field by field. */
function loopItem(arg: Arg): Value {
  const [first, second] = arg.pieces;
  const list = second === undefined && typeof first === "object" && first.kind === "words";
  return list ? { kind: "name" } : valueOfArg(arg);
}
