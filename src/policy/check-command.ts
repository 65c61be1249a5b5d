import { CHECKERS, namesCheck, RUNNERS, SCRIPT_OPTIONS, TARGET_OPTIONS } from "./check-tools.ts";
import { type Arg, shown, textOf } from "./shell/arg.ts";

/** A script's file, started by itself or by the program for its language. */
const SCRIPT = /^(?:(?:\.{1,2}\/)?[\w./-]+\.(?:sh|mjs|js|py|ts)|\.\/[\w./-]+)$/u;
/** Value of an option that names no file outside the working folder and no program. */
const VALUE = /^[\w.,:@*-]*$/u;

/**
 * Whether a simple command runs checks of the project, so that a checker may run it without approval in any mode (SPEC 8).
 * Strict: known tools with options of a list, scripts and targets whose names hold nothing but words of a list. A word
 * that is only known at run time, or that a script could take apart once more, makes it none.
 */
export function isCheckCall(argv: readonly Arg[]): boolean {
  const words: string[] = [];
  for (const arg of argv) {
    const word = wordOf(arg);
    if (word === undefined) return false;
    words.push(word);
  }
  return isTool(withoutRunner(words)) || isNamed(words);
}

/** A word in one piece; undefined when it cannot be told what it will be. */
function wordOf(arg: Arg): string | undefined {
  const text = shown(arg);
  const known = arg.pieces.every((piece) => typeof piece === "string" || piece.kind === "glob");
  const isOpenOption = text.startsWith("-") && textOf(arg) === undefined;
  return !known || isOpenOption || /[<>$`\\&(){};|\n]/u.test(text) ? undefined : text;
}

function withoutRunner(words: readonly string[]): readonly string[] {
  const runner = RUNNERS.find((each) => each.every((word, index) => words[index] === word));
  const rest = words.slice(runner?.length ?? 0);
  const local = /^(?:\.\/)?(?:node_modules\/\.bin|vendor\/bin)\/([\w-]+)$/u.exec(rest[0] ?? "")?.[1];
  return local === undefined ? rest : [local, ...rest.slice(1)];
}

/** A known tool, which its entry in the table begins, with no option but those in it. */
function isTool(words: readonly string[]): boolean {
  return CHECKERS.some(
    ({ command, options, operands }) =>
      command.every((word, index) => words[index] === word) &&
      words
        .slice(command.length)
        .every((word) => (word.startsWith("-") ? isAllowed(word, options) : operands.test(word))),
  );
}

function isAllowed(word: string, options: ReadonlySet<string>): boolean {
  if (word === "--" || options.has(word)) return true;
  const [name = "", ...value] = word.split("=");
  if (value.length > 0) return options.has(name) && VALUE.test(value.join("="));
  const [, letter, number] = /^(-[a-zA-Z])(\d+)$/u.exec(word) ?? [];
  return letter !== undefined && number !== undefined && options.has(letter);
}

/** A script or target by a name that says that it checks. */
function isNamed(words: readonly string[]): boolean {
  const [program = "", ...rest] = words;
  switch (program) {
    case "npm":
    case "pnpm":
    case "yarn":
    case "bun":
      return isPackageScript(program, rest);
    case "make":
    case "just":
    case "task":
    case "rake":
    case "composer":
      return areTargets(rest);
    case "bash":
    case "sh":
    case "node":
    case "python":
    case "python3":
      return isScript(rest[0], rest.slice(1));
    default:
      return isScript(program, rest);
  }
}

function isPackageScript(program: string, words: readonly string[]): boolean {
  const runs = words[0] === "run" || words[0] === "run-script";
  const [name = "", ...args] = runs ? words.slice(1) : words;
  // Without `run`, a package manager's own verbs come first; `ci` installs.
  const own = program === "npm" ? !/^(?:t|tst|test|audit)$/u.test(name) : name === "ci" || name === "install";
  if (!runs && own) return false;
  if (!runs && name === "audit") return args.every((word) => word === "--json");
  const isCheck = name === "t" || name === "tst" || namesCheck(name);
  return isCheck && haveScriptOptions(args);
}

function areTargets(words: readonly string[]): boolean {
  const targets = words.filter((word) => !word.startsWith("-"));
  const options = words.filter((word) => word.startsWith("-"));
  return (
    targets.length > 0 &&
    targets.every((word) => namesCheck(word)) &&
    options.every((word) => isAllowed(word, TARGET_OPTIONS))
  );
}

function isScript(path: string | undefined, args: readonly string[]): boolean {
  if (path === undefined || !SCRIPT.test(path)) return false;
  const name = path.slice(path.lastIndexOf("/") + 1).replace(/\.\w+$/u, "");
  return namesCheck(name) && haveScriptOptions(args);
}

/** What a script hands on to a tool that is not known: options that any of them may be given, and names of tests. */
function haveScriptOptions(words: readonly string[]): boolean {
  return words.every((word) =>
    word.startsWith("-") ? isAllowed(word, SCRIPT_OPTIONS) : /[./:*]/u.test(word) || namesCheck(word),
  );
}
