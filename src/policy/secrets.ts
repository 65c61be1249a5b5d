import { type Arg, leading, type Piece, shown, textOf } from "./shell/arg.ts";

/** Programs that tell that a file is there, or change what is known of it, but show nothing of what is in it. */
const NOT_SHOWING =
  /^(?:ls|dir|exa|eza|stat|test|\[|du|df|realpath|readlink|dirname|basename|echo|printf|touch|rm|rmdir|mkdir|chmod|chown|chgrp|find|fd|fdfind|cd|pushd|tree|wc|which|type|command|true|false|:|export|unset|read|kill|lsof|md5sum|sha1sum|sha256sum|xargs|env|timeout|time|nice|nohup|shopt|set|exec|eval|builtin)$/u;
/** Git's verbs that show what is in files. */
const GIT_SHOWING =
  /^(?:show|diff|blame|annotate|grep|cat-file|archive|whatchanged|difftool|format-patch|apply|hash-object)$/u;
const GREP = /^(?:grep|egrep|fgrep|rg|ack|ag|zgrep|ugrep)$/u;
/** Programs that run the code they are given. */
export const CODE = /^(?:python[\d.]*|node|deno|bun|perl|ruby|php|lua|awk|gawk|mawk|sed)$/u;
const SECRET_NAME = /(?:KEY|TOKEN|SECRET|PASSW|CREDENTIAL|PRIVATE)/iu;

/** The texts in an argument that may be paths: itself, the value of an option, what stands behind `:`, `=` or `@`. */
export function pathsIn(text: string, code: boolean): string[] {
  const parts = text.split(code ? /[\s"'`(),;:=@<>|&{}[\]]+/u : /[:=@,]/u);
  const attached = /^-\w(.+)$/u.exec(text)?.[1];
  const found = new Set([text, ...parts, ...(attached === undefined ? [] : [attached])]);
  return [...found].filter((part) => part !== "" && !part.startsWith("-"));
}

/** An argument with something in the place of what is not known, so that a known end such as `/.env` is seen. */
function filledIn(arg: Arg): string {
  const filled = (piece: Piece): string => {
    if (typeof piece === "string") return piece;
    return piece.kind === "glob" ? piece.text : "x";
  };
  return arg.pieces.map((piece) => filled(piece)).join("");
}

/** The place of the first operand that is no file: what grep and its like look for. */
function searchedFor(args: readonly Arg[]): number {
  if (args.some((arg) => /^-[a-zA-Z]*[ef]|^--(?:regexp|file|files)/u.test(leading(arg)))) return -1;
  return args.findIndex((arg) => !leading(arg).startsWith("-"));
}

/** Paths and patterns whose content a command may show, as far as its words tell. */
export function shownPaths(name: string, args: readonly Arg[]): string[] {
  if (NOT_SHOWING.test(name)) return [];
  const verb =
    name === "git"
      ? args.map((arg) => textOf(arg) ?? "").find((text) => GIT_SHOWING.test(text) || text === "-p")
      : "";
  if (verb === undefined) return [];
  const isCopy = /^(?:cp|mv|install|ln|rsync|scp)$/u.test(name);
  const skipped = GREP.test(name) ? searchedFor(args) : isCopy ? args.length - 1 : -1;
  return args
    .filter((_, index) => index !== skipped)
    .flatMap((arg) => pathsIn(filledIn(arg), CODE.test(name)));
}

/** True for a command that shows the whole environment, or a variable in it that sounds like a secret. */
export function showsEnvironment(name: string, args: readonly Arg[]): boolean {
  const texts = args.map((arg) => textOf(arg) ?? shown(arg));
  switch (name) {
    case "env":
      return texts.every((text) => /^-[0iv]*$|^\w+=/u.test(text)) && !texts.includes("-i");
    case "printenv":
      return texts.every((text) => text.startsWith("-") || SECRET_NAME.test(text));
    case "set":
      return texts.length === 0;
    case "export":
    case "declare":
    case "typeset":
      return texts.every((text) => /^-[px]+$/u.test(text));
    case "echo":
    case "printf":
      return args.some((arg) =>
        arg.pieces.some(
          (piece) => typeof piece !== "string" && piece.unset === true && SECRET_NAME.test(piece.text),
        ),
      );
    default:
      return false;
  }
}

/** True for a command that names files on its output, and so may name a sensitive one to whatever reads them. */
export function listsFiles(name: string): boolean {
  return /^(?:ls|find|fd|fdfind|echo|printf|rg|git)$/u.test(name);
}

/** True when a command shows files that only another one names: through xargs, `-exec` or a substitution. */
export function showsUnknownFiles(name: string, args: readonly Arg[]): boolean {
  if (NOT_SHOWING.test(name)) return false;
  return args.some((arg) =>
    arg.pieces.some((piece) => typeof piece !== "string" && /^(?:\{|what xargs|\$\(|`)/u.test(piece.text)),
  );
}
