import {
  type Command,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
  forEachChild,
  parse,
} from "unbash";

/** A word of a command, quotes taken off, a home written as `~`. */
export interface LineWord {
  readonly text: string;
  /** `pattern`: names of files stand for it. `unknown`: it is only known at run time. */
  readonly kind: "literal" | "pattern" | "unknown";
}

export interface SimpleCommand {
  readonly words: readonly LineWord[];
  /** As it is written, with its redirections. */
  readonly text: string;
  /** Something is assigned in front of it, or as one of its words. */
  readonly assigns: boolean;
}

/** Characters of a line that are parsed. */
const MAX_LINE = 32_768;
/** Nodes that are visited, and how deep they may lie in each other. */
const MAX_NODES = 20_000;
const MAX_DEPTH = 200;
/** Parts of a word whose value stands in the text. */
const LITERAL: ReadonlySet<string> = new Set(["Literal", "SingleQuoted", "AnsiCQuoted"]);
/** Functions may be called by any name, loops may set any variable, `PATH` too; arithmetic and tests run what stands in a subscript of their text. */
const OPAQUE: ReadonlySet<string> = new Set([
  "Function",
  "Coproc",
  "For",
  "Select",
  "TestCommand",
  "ArithmeticCommand",
  "ArithmeticFor",
  "ArithmeticExpansion",
]);
const OUTPUTS: ReadonlySet<string> = new Set([">", ">>", "<>", ">|", "&>", "&>>"]);

/** Variables whose value says nothing and does nothing. */
const KNOWN_VARIABLE = /^\$(?:HOME|\{HOME\}|\?)$/u;
const UNREAD = {
  commands: [] as readonly SimpleCommand[],
  outputs: [] as readonly LineWord[],
  inputs: [] as readonly LineWord[],
  /** The line is one simple command and nothing else. */
  isSimple: false,
  /** It was not read to its end, or what it runs does not all stand among `commands`. */
  isOpaque: true,
  /** It is too long or too deep to be read, so that nothing is known of it. */
  isUnread: true,
};

/** What a line of bash consists of, wherever it stands in it: substitutions and bodies included. */
export type ParsedLine = Readonly<typeof UNREAD>;

/** Reads a line of bash. Never throws. */
export function parseLine(line: string): ParsedLine {
  if (line.length > MAX_LINE) return UNREAD;
  try {
    return readLine(line);
  } catch {
    return UNREAD; // Nested deeper than the stack.
  }
}

function readLine(line: string): ParsedLine {
  const commands: SimpleCommand[] = [];
  const outputs: LineWord[] = [];
  const inputs: LineWord[] = [];
  let isOpaque = false;
  let count = 0;
  const redirect = (each: Redirection): void => {
    if (each.type !== "Redirect" || each.target === undefined) return;
    const file = wordOf(each.target);
    if (each.operator === "<") inputs.push(file);
    // `>&2` names a descriptor, `>&file` a file.
    else if (OUTPUTS.has(each.operator) || (each.operator === ">&" && !isDescriptor(file.text)))
      outputs.push(file);
  };
  const visit = (node: SyntaxNode, depth: number, source: string): void => {
    count += 1;
    if (count > MAX_NODES || depth > MAX_DEPTH) {
      isOpaque = true;
      return;
    }
    if (node.type === "Script" && (node.errors?.length ?? 0) > 0) isOpaque = true;
    // The text of a script in escaped backticks is its own.
    const own = node.type === "Script" ? (node.source ?? source) : source;
    if (OPAQUE.has(node.type) || isVariable(node)) isOpaque = true;
    if (node.type === "Command") commands.push(simpleCommand(node, own));
    if (node.type === "Redirect") redirect(node);
    forEachChild(node, (child) => visit(child, depth + 1, own));
  };
  const script = parse(line);
  visit(script, 0, line);
  const [only] = script.commands;
  const isSimple =
    commands.length === 1 && script.commands.length === 1 && only?.command.type === "Command" && !isOpaque;
  return { commands, outputs, inputs, isSimple, isOpaque, isUnread: false };
}

function simpleCommand(node: Command, source: string): SimpleCommand {
  const words = [...(node.name === undefined ? [] : [node.name]), ...node.args];
  return {
    words: words.map((word) => (word.type === "Word" ? wordOf(word) : { text: word.text, kind: "unknown" })),
    text: source.slice(node.pos, node.end),
    assigns: node.prefix.some(({ type }) => type === "Assignment"),
  };
}

function wordOf({ parts, value }: Word): LineWord {
  const pieces = (parts ?? []).flatMap((part): readonly WordPart[] =>
    part.type === "DoubleQuoted" ? part.parts : [part],
  );
  if (pieces.length === 0) return { text: value, kind: "literal" };
  const text = pieces.map(textOf).join("");
  if (!pieces.every((piece) => LITERAL.has(piece.type) || piece.type === "Glob" || isKnown(piece)))
    return { text, kind: "unknown" };
  return { text, kind: pieces.some(({ type }) => type === "Glob") ? "pattern" : "literal" };
}

function textOf(piece: WordPart): string {
  if (isKnown(piece) && piece.text !== "$?") return "~";
  return "value" in piece && typeof piece.value === "string" ? piece.value : piece.text;
}

function isVariable(node: SyntaxNode): boolean {
  const { type } = node;
  return (type === "SimpleExpansion" || type === "ParameterExpansion") && !KNOWN_VARIABLE.test(node.text);
}

function isKnown(piece: WordPart): boolean {
  const { type, text } = piece;
  return (type === "SimpleExpansion" || type === "ParameterExpansion") && KNOWN_VARIABLE.test(text);
}

function isDescriptor(file: string): boolean {
  return file === "-" || Number.isInteger(Number(file));
}
