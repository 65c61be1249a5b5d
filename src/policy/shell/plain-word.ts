import type { Word } from "unbash";

/** True for a word that is only text, quoted or not: no expansion, pattern or brace decides anything about it. */
export function isPlainWord(word: Word): boolean {
  return (word.parts ?? []).every(
    (part) =>
      part.type === "Literal" ||
      part.type === "SingleQuoted" ||
      part.type === "AnsiCQuoted" ||
      (part.type === "DoubleQuoted" && part.parts.every((child) => child.type === "Literal")),
  );
}
