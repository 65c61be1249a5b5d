import type { Assignment, ParameterExpansionPart, Word, WordPart } from "unbash";
import { checkArithmetic, isNumericVariable, isNumericWord } from "./arithmetic.ts";
import { effect, pays, type Walk } from "./walk-state.ts";

/** Transformations that only change how a value is written; `P` would expand it as a prompt, commands included. */
const HARMLESS_TRANSFORM = /^[QULuEkKa]$/u;

function checkIndex(index: Word | undefined, walk: Walk): void {
  if (index === undefined || index.value === "@" || index.value === "*") return;
  visitWord(index, walk);
  if (!isNumericWord(index.value.trim().replace(/^-/u, ""), index.parts, walk)) {
    effect(walk, index, "uses a subscript that is not known to be a number");
  }
}

/** What stands between single quotes when nothing in it could be read in another way were they no quotes. */
const PLAINLY_QUOTED = /^[^"'\\$`{}\n]*(?:'[^"'\\$`{}\n]*'[^"'\\$`{}\n]*)*$/u;

/** Every substitution in these parts, which is read the same way wherever it stands. */
function substitutionsIn(word: Word | undefined): string[] {
  return (word?.parts ?? []).flatMap((part) => (part.type === "CommandExpansion" ? [part.text] : []));
}

/**
 * True for an expansion between double quotes or in a here-document that holds single quotes of its own: whether they
 * quote depends on the operator, the shell and its version, and with it what runs.
 */
function isReadInTwoWays({ text, operation }: ParameterExpansionPart): boolean {
  if (!text.includes("'")) return false;
  let rest = text.slice(2, -1);
  const operands = operation === undefined ? [] : "operand" in operation ? [operation.operand] : [];
  for (const substitution of operands.flatMap((word) => substitutionsIn(word)))
    rest = rest.replace(substitution, "");
  return !PLAINLY_QUOTED.test(rest);
}

const READ_TWICE = "holds quotes or comments that shells disagree about";

/** `$'…'` with nothing in it that means anything without the quotes. */
const PLAINLY_ESCAPED = /^(?:[^"'\\$`{}()<>]|\\[nrt])*'/u;

/**
 * An expansion with `$'…'` in it: between substitutions and double quotes bash may undo the quotes, then expand what
 * stood between them, and zsh does so inside of another expansion.
 */
function isQuotedWithin({ text }: ParameterExpansionPart): boolean {
  const [first = "", ...rest] = text.split("$'");
  return rest.length > 0 && (first.includes("${", 2) || !rest.every((each) => PLAINLY_ESCAPED.test(each)));
}

/** Zsh counts every brace inside an expansion, so that it may end later than for bash, with other quotes in it. */
function endsElsewhere({ text, end }: ParameterExpansionPart, { source }: Walk): boolean {
  return /[^$]\{/u.test(text.slice(2)) && source.includes("'", end);
}

function holdsBehind(text: string, opening: RegExp, mark: RegExp): boolean {
  const at = text.search(opening);
  return at !== -1 && mark.test(text.slice(at));
}

/**
 * What zsh takes for text inside of an expansion or of braces, so that `#` begins no comment and quotes don't quote: a
 * file's substitution, a pattern in parentheses, arithmetic in brackets.
 */
function isTextToZsh(text: string): boolean {
  return (
    text.includes("$[") || holdsBehind(text, /[<>]\(/u, /#/u) || holdsBehind(text, /[@?*+!]\(/u, /["'\\`]/u)
  );
}

function checkParameter(part: ParameterExpansionPart, walk: Walk, quoted: boolean): void {
  const { operation } = part;
  if (quoted && isReadInTwoWays(part)) effect(walk, part, READ_TWICE);
  if (endsElsewhere(part, walk))
    effect(walk, part, "holds a brace, and quotes follow that zsh takes for its own");
  if (isQuotedWithin(part)) effect(walk, part, READ_TWICE);
  const keys = operation?.type === "Names" || part.index?.value === "@" || part.index?.value === "*";
  if (part.prefix === "!" && !keys) {
    effect(walk, part, "expands a variable through the name in another one");
  }
  checkIndex(part.index, walk);
  switch (operation?.type) {
    case "Default":
      if (operation.operator.endsWith("=")) effect(walk, part, "assigns a variable while expanding it");
      visitWord(operation.operand, walk);
      return;
    case "Remove":
      visitWord(operation.operand, walk);
      return;
    case "Replace":
      visitWord(operation.pattern, walk);
      visitWord(operation.replacement, walk);
      return;
    case "Slice":
      checkIndex(operation.offset, walk);
      checkIndex(operation.length, walk);
      return;
    case "CaseModification":
      if (operation.operand !== undefined) visitWord(operation.operand, walk);
      return;
    case "Transform":
      if (!HARMLESS_TRANSFORM.test(operation.operand.text))
        effect(walk, part, "expands what a variable holds");
      return;
    case "Unknown":
      effect(walk, part, "holds an expansion that is not known");
      return;
    case "Names":
    case undefined:
      return;
  }
}

/** Text in which arithmetic of zsh finds numbers and names, and nothing that could be read in another way. */
const PLAIN_SUBSCRIPT = /^[\w@*?#^,:. +-]*$/u;

/** Zsh takes brackets right behind a variable for a subscript, which it evaluates whatever quotes are in it. */
function checkSubscript(part: WordPart, walk: Walk): void {
  const { end } = part;
  if (walk.source.charAt(end) !== "[") return;
  const close = walk.source.indexOf("]", end);
  if (close === -1) return;
  const inside = walk.source.slice(end + 1, close);
  const names = inside.match(/[A-Za-z_]\w*/gu) ?? [];
  if (!PLAIN_SUBSCRIPT.test(inside) || !names.every((name) => isNumericVariable(name, walk)))
    effect(walk, part, "is a subscript to zsh that is not known to be a number");
}

/** Follows everything that the shell runs or assigns while it expands this part of a word. */
function visitPart(part: WordPart, walk: Walk, quoted = false): void {
  if (!pays(walk, 1, part)) return;
  switch (part.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
      if (part.script === undefined) effect(walk, part, "holds a substitution that could not be read");
      else walk.enter(part.script, { ...walk, scope: walk.scope.fork() });
      return;
    case "DoubleQuoted":
      for (const child of part.parts) visitPart(child, walk, true);
      return;
    case "ArithmeticExpansion":
      if (part.expression !== undefined)
        checkArithmetic(part.expression, walk, (inner) => visitPart(inner, walk));
      else if (/\w/u.test(part.text)) effect(walk, part, "holds arithmetic that could not be read");
      return;
    case "ParameterExpansion":
      if (isTextToZsh(part.text)) effect(walk, part, READ_TWICE);
      checkParameter(part, walk, quoted);
      return;
    case "LocaleString":
      effect(walk, part, "holds a text that is translated before use");
      return;
    case "ExtendedGlob":
      effect(walk, part, "holds an extended pattern, which bash reads only when told to");
      return;
    case "Glob":
    case "BraceExpansion":
      if (isTextToZsh(part.text)) effect(walk, part, READ_TWICE);
      for (const child of part.parts ?? []) visitPart(child, walk);
      return;
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return;
    case "SimpleExpansion":
      checkSubscript(part, walk);
  }
}

function partsOf({ parts, text }: Word): readonly Pick<WordPart, "type" | "text">[] {
  return parts ?? [{ type: "Literal", text }];
}

/**
 * A word with a bare parenthesis in it, which the parser takes for an array where bash has none: zsh begins a pattern
 * with it, in which `#` is no comment.
 */
export function isOpen(word: Word): boolean {
  return partsOf(word).some((part) => part.type === "Literal" && /(?:^|[^\\])\(/u.test(part.text));
}

/** What begins an expansion, and was taken for text all the same: where it ends is not known, nor what is a comment in it. */
const BEGUN = /(?:^|[^\\])(?:\\\\)*(?:\$[[({]|`)/u;

/** Follows every substitution, arithmetic and assignment inside a word. */
export function visitWord(word: Word, walk: Walk): void {
  if (partsOf(word).some(({ type, text }) => type === "Literal" && BEGUN.test(text)))
    effect(walk, word, "holds an expansion that could not be read");
  for (const part of word.parts ?? []) visitPart(part, walk);
}

/** As `visitWord`, for parts that belong to no word. */
export function visitParts(parts: readonly WordPart[] | undefined, walk: Walk): void {
  for (const part of parts ?? []) visitPart(part, walk);
}

/** As `visitParts`, for the body of a here-document, in which everything counts as double-quoted. */
export function visitBody(parts: readonly WordPart[] | undefined, walk: Walk): void {
  for (const part of parts ?? []) visitPart(part, walk, true);
}

/** A pattern inside `[[ ]]`, where extended patterns are always read: only its substitutions count. */
export function visitPattern(word: Word, walk: Walk): void {
  for (const part of word.parts ?? []) {
    if (part.type === "ExtendedGlob") visitParts(part.parts, walk);
    else visitPart(part, walk);
  }
}

/** Follows the value and the subscript of an assignment, not the assignment itself. */
export function visitAssignment(assignment: Assignment, walk: Walk): void {
  if (assignment.index !== undefined) checkIndex(assignment.index, walk);
  const words = assignment.value.type === "Word" ? [assignment.value] : assignment.value.elements;
  if (!pays(walk, words.length, assignment)) return;
  if (assignment.value.type === "Word" && assignment.value.text.startsWith("("))
    effect(walk, assignment, "is a text to bash, an array and a command to zsh");
  for (const word of words) {
    visitWord(word, walk);
    const subscript = assignment.value.type === "ArrayValue" && /^\[[^\]]*[^\d\]]/u.test(word.text);
    if (subscript) effect(walk, word, "uses a subscript that is not known to be a number");
  }
}
