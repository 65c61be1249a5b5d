import { type Arg, shown, textOf } from "../shell/arg.ts";

/** Stands in a word for what only the shell will know. */
export const OPEN = "…";

/**
 * An argument in one piece; undefined when a tool could take it for an option that it was not shown. What only the shell
 * will know, such as the files that a pattern fits, stands as it is written, or as `OPEN`.
 */
export function wordOf(arg: Arg): string | undefined {
  const text = textOf(arg);
  if (text !== undefined) return text;
  const [first] = arg.pieces;
  // Temporary files do not begin with a dash.
  if (!arg.many && /^\$(?:TMPDIR|\{TMPDIR(?::-\/tmp)?\})\/[\w./-]*$/u.test(shown(arg))) return shown(arg);
  const opens = typeof first === "object" && first.kind === "any";
  const splits = arg.pieces.some((piece) => typeof piece === "object" && piece.kind === "any" && piece.split);
  // An option whose name is open could be any other.
  const isOpenOption = /^-(?!-[\w-]+=|[A-Za-z]$)/u.test(typeof first === "string" ? first : "");
  if (
    opens ||
    splits ||
    (isOpenOption && !arg.pieces.every((piece) => typeof piece === "string" || piece.kind === "number"))
  )
    return undefined;
  return arg.pieces
    .map((piece) =>
      typeof piece === "string"
        ? piece
        : piece.kind === "glob"
          ? piece.text
          : piece.kind === "number"
            ? "1"
            : OPEN,
    )
    .join("");
}

/** All of a command's words; undefined when one of them is not known well enough. */
export function wordsOf(argv: readonly Arg[]): readonly string[] | undefined {
  const words: string[] = [];
  for (const arg of argv) {
    const word = wordOf(arg);
    if (word === undefined) return undefined;
    words.push(word);
  }
  return words;
}

/** A command as a person would read it, cut short. */
export function commandOf(argv: readonly Arg[]): string {
  const text = argv.map((arg) => shown(arg)).join(" ");
  return text.length > 100 ? `${text.slice(0, 100)}…` : text;
}

/** Options and operands told apart; `valued` options take the next word. */
export interface Parts {
  readonly options: ReadonlyMap<string, readonly string[]>;
  readonly operands: readonly string[];
  /** What stands behind the last of these operands, or behind `--`. */
  readonly rest: readonly string[];
}

/**
 * Takes arguments apart up to their first so many operands; the rest belongs to what these name.
 * @param valued options that take the next word
 */
export function partsOf(args: readonly string[], valued: ReadonlySet<string>, most: number): Parts {
  const options = new Map<string, string[]>();
  const operands: string[] = [];
  let index = 0;
  for (; index < args.length; index++) {
    const word = args[index] ?? "";
    if (operands.length === most) break;
    if (word === "--") {
      index++;
      break;
    }
    if (!word.startsWith("-")) {
      operands.push(word);
      continue;
    }
    const [name = "", ...value] = word.split("=");
    const given = value.length > 0 ? value.join("=") : valued.has(name) ? (args[++index] ?? "") : "";
    options.set(name, [...(options.get(name) ?? []), given]);
  }
  return { options, operands, rest: args.slice(index) };
}
