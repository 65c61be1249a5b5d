import { readFileSync } from "node:fs";
import { type Family, type Kind, nest, nestedAgain, quoted, repeat } from "./family.ts";
import { others } from "./others.ts";

/** The lines of a list, in which `⏎` stands for the end of a line and `␣` for a blank at the end. */
function list(name: string): string[] {
  const text = readFileSync(new URL(`lists/${name}.txt`, import.meta.url), "utf8");
  return text
    .trim()
    .split("\n")
    .map((line) => line.replaceAll("⏎", "\n").replace(/␣$/u, " "));
}

const OPERATORS = list("operators");
const PIECES = list("pieces");
/** What does not end in a blank or a line is followed by a semicolon. */
const SEPARATED = list("statements").map((each) => (/\s$/u.test(each) ? each : `${each}; `));
const WORDS = list("words").map((word) => `${word} `);
const PROGRAMS = list("programs");
const CODE = list("code");

/** Each item of a list as a family, under its own text. */
const each = <T>(items: readonly T[], family: (item: T) => Family): Kind =>
  Object.fromEntries(items.map((item) => [String(item), family(item)]));

/** Every item of one list with every one of another. */
const crossed = (
  left: readonly string[],
  right: readonly string[],
  family: (a: string, b: string) => Family,
): Kind =>
  Object.assign(
    {},
    ...left.map((a) => Object.fromEntries(right.map((b) => [`${a} with ${b}`, family(a, b)]))),
  );

const pairs = (name: string): [string, string][] =>
  list(name).map((line) => line.split(" … ") as [string, string]);

/** Families by what they are made of, then by the part that is repeated. */
export const kinds: Readonly<Record<string, Kind>> = {
  "a word": each(PIECES, (piece) => repeat(piece, "echo ")),
  "a quoted word": each(PIECES, (piece) => repeat(piece, 'echo "', '"')),
  "an assigned word": each(PIECES, (piece) => repeat(piece, "x=", "; rm -rf $x")),
  "a here-document": each(PIECES, (piece) => repeat(piece, "bash <<E\n", "\nE")),
  "expansions in a word": each(OPERATORS, (operator) => repeat(`\${x${operator}}`, "echo ")),
  "expansions in words": each(OPERATORS, (operator) => repeat(`"\${x${operator}}" `, "ls ")),
  statements: each(SEPARATED, (statement) => repeat(statement, "", "ls")),
  "statements in a loop": each(SEPARATED, (statement) => repeat(statement, "for i in a b; do ", "ls; done")),
  "statements in a substitution": each(SEPARATED, (statement) => repeat(statement, 'echo "$(', 'ls)"')),
  "statements in a function": each(SEPARATED, (statement) =>
    repeat(statement, "f() { ", "ls; }; f; f; f; f"),
  ),
  "statements in a text": each(
    SEPARATED.filter((statement) => !statement.includes("'")),
    (statement) => quoted("bash -c", statement),
  ),
  "words of a program": crossed(PROGRAMS, WORDS, (program, word) => repeat(word, `${program} `)),
  "code of a program": crossed(list("interpreters"), CODE, quoted),
  "programs of themselves": each(PROGRAMS, (program) => repeat(`${program} `)),
  "nested words": each(pairs("nesting"), ([open, close]) => nest(open, close)),
  "open words": each(pairs("nesting"), ([open]) => nest(open, "")),
  "nested blocks": each(pairs("blocks"), ([open, close]) => nest(open, close, "")),
  "open blocks": each(pairs("blocks"), ([open]) => nest(open, "", "", "")),
  ...Object.fromEntries(
    [2, 5, 12, 30, 60].map((depth) => [
      `words ${depth} deep`,
      each(pairs("nesting"), ([open, close]) => nestedAgain(open, close, depth)),
    ]),
  ),
  ...Object.fromEntries(
    [3, 8, 14].map((depth) => [
      `blocks ${depth} deep`,
      each(pairs("blocks"), ([open, close]) => repeat(`${open.repeat(depth)}ls${close.repeat(depth)}\n`)),
    ]),
  ),
  others,
};

/** All of them under one name each. */
export const families: Readonly<Record<string, Family>> = Object.fromEntries(
  Object.entries(kinds).flatMap(([kind, members]) =>
    Object.entries(members).map(([name, family]) => [`${kind}: ${name}`, family]),
  ),
);
