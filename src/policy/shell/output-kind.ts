import type { Command, PipelineNode, Redirection, Script, Word } from "unbash";
import type { HoleKind } from "./arg.ts";
import { isPlainWord } from "./plain-word.ts";

type Kind = Exclude<HoleKind, "glob">;

/** Filters that pass some of their lines on unchanged, so that what is known of the input holds for the output. */
const PASSING = /^(?:head|tail|sort|uniq)$/u;
/** Lines are left out, and the others stay as they are. */
const LEAVING_OUT = /^(?:-[vEiFwx]+ )*[^-\s]\S*$/u;
/** What go is asked for by the paths of packages, of which none begins with a dash. */
const GO_LISTING = /^(?:-m|-deps|-test|-tags=[\w,]+|all|[.\w][\w./@-]*)$/u;
const DATE_FORMAT = /^\+(?:%[YmdHMSsFTjuVyIN][-_.:T/]?)+$/u;
const COMMIT_FORMAT = /^--(?:pretty=(?:format:)?|format=)%[hH]$/u;
const REV_PARSE_FLAG =
  /^--(?:show-toplevel|abbrev-ref|short(?:=\d+)?|verify|git-dir|absolute-git-dir|symbolic-full-name)$/u;
const REVISION = /^[\w@][\w@{}^~./-]*$/u;

/** Options with which git lists references by name; no reference begins with a dash. */
const REF_LISTING =
  /^(?:-[alr]|--(?:list|all|remotes|merged|no-merged|sort=[-\w:]+|count=\d+|format=%\(refname(?::short)?\))|refs\/[\w/]+)$/u;

/** The words of a command when all of them are plain text, undefined otherwise. */
function plainWords(command: Command): string[] | undefined {
  const words: string[] = [];
  for (const word of [command.name, ...command.suffix]) {
    if (word === undefined || word.type === "Redirect") continue;
    if (word.type !== "Word" || !isPlain(word)) return undefined;
    words.push(word.value);
  }
  return words;
}

function isPlain(word: Word): boolean {
  return !word.text.includes("{") && !word.text.startsWith("~") && isPlainWord(word);
}

/** Redirections that keep everything but the program's own output out of the text. */
function isQuiet(redirect: Redirection): boolean {
  if (redirect.type !== "Redirect") return false;
  if (redirect.operator === "<") return true;
  return (
    redirect.operator === ">" && redirect.descriptor !== undefined && redirect.target?.text === "/dev/null"
  );
}

function gitKind(verb: string | undefined, args: readonly string[]): Kind {
  if (verb === "rev-parse") {
    return args.every((arg) => REV_PARSE_FLAG.test(arg) || REVISION.test(arg)) ? "words" : "any";
  }
  if (verb === "rev-list")
    return args.every((arg) => REVISION.test(arg) || /^-(?:n|\d+|-count|-all)$/u.test(arg)) ? "words" : "any";
  if (verb === "merge-base") return args.every((arg) => REVISION.test(arg)) ? "name" : "any";
  if (verb === "branch" && args.join(" ") === "--show-current") return "name";
  if (verb === "branch")
    return args.includes("--format=%(refname:short)") && args.every((arg) => REF_LISTING.test(arg))
      ? "words"
      : "any";
  if (verb === "describe")
    return args.every((arg) => /^--(?:tags|always|abbrev=\d+|all|long)$/u.test(arg) || REVISION.test(arg))
      ? "name"
      : "any";
  if (verb === "tag" || verb === "for-each-ref")
    return args.every((arg) => REF_LISTING.test(arg)) ? "words" : "any";
  if (verb === "symbolic-ref")
    return args.every((arg) => arg === "--short" || REVISION.test(arg)) ? "name" : "any";
  if (verb !== "log") return "any";
  const only = args.every(
    (arg) => COMMIT_FORMAT.test(arg) || REVISION.test(arg) || /^-(?:\d+|n\d+|-reverse|-all)$/u.test(arg),
  );
  return only && args.some((arg) => COMMIT_FORMAT.test(arg)) ? "words" : "any";
}

/** One revision or folder is one word. */
function singular(kind: Kind, verb: string | undefined, args: readonly string[]): Kind {
  const one = args.filter((arg) => !/^--(?:abbrev-ref|short|verify)/u.test(arg)).length === 1;
  return kind === "words" && verb === "rev-parse" && one ? "name" : kind;
}

/** What find prints begins as its start points do, unless it is told what else to print. */
function pathKind(args: readonly string[]): Kind {
  const plain = args.every((arg) => !/^-(?:f?printf|fprint|f?ls|exec|ok|files0)/u.test(arg));
  return plain && /^[\w./]/u.test(args[0] ?? "") ? "operand" : "any";
}

function kindOfWords(words: readonly string[]): Kind {
  const [name, first, ...rest] = words;
  const args = words.slice(1);
  switch (name) {
    case "pwd":
    case "nproc":
      return args.length > 0 ? "any" : name === "pwd" ? "name" : "number";
    case "wc":
      return args.length > 0 && args.every((arg) => /^-[lwcm]$/u.test(arg)) ? "number" : "any";
    case "grep":
      return first === "-c" && rest.length <= 2 && rest.every((arg) => !arg.startsWith("-"))
        ? "number"
        : "any";
    case "date":
      if (first === "+%s" && args.length === 1) return "number";
      return args.length === 1 && DATE_FORMAT.test(first ?? "") ? "name" : "any";
    case "seq":
      return args.every((arg) => /^\d+$/u.test(arg)) ? "words" : "any";
    case "whoami":
    case "hostname":
    case "uname":
    case "id":
      return args.every((arg) => /^-[a-z]+$/u.test(arg)) ? "words" : "any";
    case "which":
      return args.every((arg) => /^\w[\w.+-]*$/u.test(arg)) ? "operand" : "any";
    case "docker":
      return /^(?:ps|images|(?:container|image) ls)(?: -a)* -a?q(?: -a)*$/u.test(args.join(" "))
        ? "words"
        : "any";
    case "find":
      return pathKind(args);
    case "go":
      return first === "list" && rest.every((arg) => GO_LISTING.test(arg)) ? "words" : "any";
    case "git":
      return singular(gitKind(first, rest), first, rest);
    default:
      return "any";
  }
}

function kindOfCommand(node: PipelineNode, before: Kind | undefined): Kind {
  if (node.type !== "Command" || node.prefix.length > 0) return "any";
  const words = plainWords(node);
  const [name = "", ...args] = words ?? [];
  if (words === undefined || !node.redirects.every((redirect) => isQuiet(redirect))) return "any";
  if (before !== undefined && PASSING.test(name))
    return /^(?:-n ?\d+|-\d+|-[nruV]+)?$/u.test(args.join(" ")) ? before : "any";
  if (before === "words" && name === "grep") return LEAVING_OUT.test(args.join(" ")) ? before : "any";
  if (before === "number" && name === "tr") return args.length === 2 && args[0] === "-d" ? "number" : "any";
  return kindOfWords(words);
}

/** True for a lone `pwd`. */
export function isFolderQuery(script: Script | undefined): boolean {
  const [statement, ...others] = script?.commands ?? [];
  if (statement?.command.type !== "Command" || others.length > 0) return false;
  const { command } = statement;
  return command.redirects.length === 0 && plainWords(command)?.join(" ") === "pwd";
}

/** The output of a lone `echo` or `printf` of plain words, undefined for everything else. */
export function outputText(script: Script | undefined): string | undefined {
  const [statement, ...others] = script?.commands ?? [];
  if (statement?.command.type !== "Command" || others.length > 0) return undefined;
  const { command } = statement;
  const words = command.prefix.length + command.redirects.length > 0 ? undefined : plainWords(command);
  const [name, ...args] = words ?? [];
  const text = args.filter((arg, index) => index > 0 || !/^-[neE]+$/u.test(arg)).join(" ");
  if (text.includes("\\")) return undefined;
  if (name === "printf")
    return args.length === 1 && !text.includes("%") && !text.startsWith("-") ? text : undefined;
  return name === "echo" ? text : undefined;
}

/**
 * What can be said of the output of a command substitution without running it.
 * @returns `any` for everything but a few everyday queries
 */
export function outputKind(script: Script | undefined): Kind {
  const [statement, ...others] = script?.commands ?? [];
  if (statement === undefined || others.length > 0) return "any";
  const { command } = statement;
  if (command.type === "AndOr") return "any";
  const stages = command.type === "Pipeline" ? command.commands : [command];
  let kind: Kind | undefined;
  for (const stage of stages) kind = kindOfCommand(stage, kind);
  return kind ?? "any";
}
