import type { CommandArgument, CommandNode, Word, WordPart } from "unbash";

const OPEN_PARTS = new Set<WordPart["type"]>([
  "SimpleExpansion",
  "ParameterExpansion",
  "CommandExpansion",
  "ArithmeticExpansion",
  "ProcessSubstitution",
]);

/** An argument as the exit code's judge reads it. */
export interface PlainWord {
  /** Without quotes; as it stands in the source where the shell fills something in. */
  readonly text: string;
  readonly isOpen: boolean;
  /** Scripts whose output the shell fills in. */
  readonly substitutions: readonly Extract<WordPart, { type: "CommandExpansion" }>[];
}

export function plainWord(argument: CommandArgument): PlainWord {
  if (argument.type === "Assignment") return { text: argument.text, isOpen: false, substitutions: [] };
  const parts = partsOf(argument);
  const isOpen = parts.some(({ type }) => OPEN_PARTS.has(type));
  const substitutions = parts.filter((part) => part.type === "CommandExpansion");
  return { text: isOpen ? argument.text : argument.value, isOpen, substitutions };
}

function partsOf(word: Word): WordPart[] {
  return (word.parts ?? []).flatMap((part): WordPart[] =>
    part.type === "DoubleQuoted" || part.type === "LocaleString" ? [...part.parts] : [part],
  );
}

/** A simple command's words; none for anything else. */
export function wordsOf(node: CommandNode): string[] {
  if (node.type !== "Command" || node.name === undefined) return [];
  return [node.name, ...node.args].map((word) => plainWord(word).text);
}
