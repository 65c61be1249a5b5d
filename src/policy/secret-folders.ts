import { type Arg, shown } from "./shell/arg.ts";

/** A home, what is above all of them, and folders in it that hold keys among settings, with or without what is in them. */
const HOLDS =
  /^(?:\/|\/home|\/root|\/Users|(?:\/home\/[^/]+|\/root|\/Users\/[^/]+)(?:\/\.(?:config|docker|kube|cargo|gem|m2|gradle|nuget|composer|local|local\/share|terraform\.d|codex|claude|gemini))?)\/?(?:(?:\*+|\.)\/?)*$/u;
/** Programs and options by which all that a folder holds is shown or taken along. */
const RECURSES = [
  /^(?:[efz]|rip|u)?grep (?:.* )?(?:-[a-zA-Z]*[rR][a-zA-Z]*|--(?:dereference-)?recursive)(?= |$)/u,
  /^(?:rgrep|ack|ag|rg|rsync|zip) /u,
  /^(?:bsd)?tar (?:-?[a-zA-Z]*c|(?:.* )?--create(?= |$))/u,
  /^cp (?:.* )?-[a-zA-Z]*[rRa]/u,
];
/** Those that leave out what is hidden, as far as they are not told otherwise. */
const LEAVES_HIDDEN = /^(?:rg|ag|ack) (?!(?:.* )?(?:-[a-zA-Z]*\.|--hidden|-uu+|--unrestricted|--all-types))/u;
/** What makes it certain files only. */
const CERTAIN = / (?:-g|--glob|--include|-t|--type|-name|-iname|-path|-regex)(?:[= ]|$)/u;

/** The first folder that is known to hold keys among other files, and of which a command shows or takes along all. */
export function takesSecretFolder(name: string, args: readonly Arg[]): string | undefined {
  const texts = args.map((arg) => shown(arg));
  const line = [name, ...texts].join(" ");
  if (CERTAIN.test(line) || !RECURSES.some((pattern) => pattern.test(line))) return undefined;
  const leaves = LEAVES_HIDDEN.test(line);
  return foldersOf(name, texts).find((text) => holdsSecrets(text) && (!leaves || text.includes("/.")));
}

/** Operands without what is looked for, what is written, and where it works. */
function foldersOf(name: string, texts: readonly string[]): readonly string[] {
  const operands = texts.filter(
    (text, index) => !text.startsWith("-") && !/^(?:-C|--directory)$/u.test(texts[index - 1] ?? ""),
  );
  if (/^(?:cp|rsync)$/u.test(name)) return operands.slice(0, -1);
  const isSearch = !/^(?:tar|bsdtar|zip)$/u.test(name);
  const isGiven = texts.some((text) => /^-[a-zA-Z]*[ef]|^--(?:regexp|file)/u.test(text));
  return operands.slice(isSearch && !isGiven ? 1 : 0);
}

/** True for a folder that is known to hold keys among other files, and for a pattern of all that is in it. */
export function holdsSecrets(path: string): boolean {
  return HOLDS.test(path);
}

/** The folder of which a command names all files to another one. */
export function listsSecretFolder(name: string, args: readonly Arg[]): string | undefined {
  const texts = args.map((arg) => shown(arg));
  if (name !== "find" || CERTAIN.test([name, ...texts].join(" "))) return undefined;
  return texts.find((text) => holdsSecrets(text));
}
