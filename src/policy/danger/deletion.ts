import { type Arg, leading, shown, textOf } from "../shell/arg.ts";
import type { DangerRule, Suspect } from "./rule.ts";
import { targetsRoot } from "./roots.ts";

const ROOTED = "would delete a root, home or system folder with all it holds";

/** Options and operands, told apart without knowing the program. */
function split(args: readonly Arg[]): { options: string[]; operands: Arg[]; open: boolean } {
  const end = args.findIndex((arg) => textOf(arg) === "--");
  const before = end === -1 ? args : args.slice(0, end);
  const isOption = (arg: Arg): boolean => leading(arg).startsWith("-");
  return {
    options: before.filter((arg) => isOption(arg)).map((arg) => shown(arg)),
    operands: [...before.filter((arg) => !isOption(arg)), ...(end === -1 ? [] : args.slice(end + 1))],
    open: before.some((arg) => typeof arg.pieces[0] === "object" && arg.pieces[0].kind === "any"),
  };
}

function recursive(options: readonly string[], letters: RegExp, word: string): boolean {
  return options.some((text) =>
    text.startsWith("--") ? text.length > 3 && word.startsWith(text) : letters.test(text),
  );
}

const rm: DangerRule = ({ args, folders }) => {
  const { options, operands, open } = split(args);
  if (options.some((text) => text.startsWith("--no-p"))) return "would delete even the root folder";
  const deep = recursive(options, /[rR]/u, "--recursive") || options.includes("--r") || open;
  return deep && operands.some((arg) => targetsRoot(arg, folders)) ? ROOTED : undefined;
};

/** Programs that delete folders without being asked to. */
const always: DangerRule = ({ args, folders }) =>
  split(args).operands.some((arg) => targetsRoot(arg, folders)) ? ROOTED : undefined;

const rights: DangerRule = ({ name, args, folders }) => {
  const { options, operands } = split(args);
  const deep = recursive(options, /R/u, "--recursive");
  return deep && operands.some((arg) => targetsRoot(arg, folders))
    ? `${name} would change who may use a root, home or system folder with all it holds`
    : undefined;
};

const NARROWING =
  /^-(?:i?name|i?path|i?regex|i?wholename|[acm](?:time|min)|newer|size|user|empty|inum|samefile)/u;

const find: DangerRule = ({ args, folders }) => {
  const texts = args.map((arg) => textOf(arg) ?? "");
  const first = texts.findIndex((text) => /^[-!(]/u.test(text) && !/^-(?:[HLPEXsx]+|O\d)$/u.test(text));
  const roots = args.slice(0, first === -1 ? args.length : first).filter((arg) => targetsRoot(arg, folders));
  const implied =
    first === 0 &&
    folders.some((folder) => folder !== "" && targetsRoot({ pieces: ["."], many: false }, [folder]));
  if (roots.length === 0 && !implied) return undefined;
  const runner = texts.findIndex((text) => /^-(?:exec|ok)(?:dir)?$/u.test(text));
  const deletes =
    texts.includes("-delete") ||
    (runner !== -1 &&
      texts.slice(runner + 1).some((text) => /\b(?:rm|unlink|shred|rimraf|srm)\b/u.test(text)));
  const home = roots.every((arg) => /^\/(?:home|Users|root)(?:\/|$)/u.test(leading(arg)));
  const narrowed = home && texts.some((text) => NARROWING.test(text));
  return deletes && !narrowed ? ROOTED : undefined;
};

const rsync: DangerRule = ({ args, folders }) => {
  const { options, operands } = split(args);
  const target = operands.at(-1);
  return options.some((text) => text.startsWith("--del")) &&
    target !== undefined &&
    targetsRoot(target, folders)
    ? ROOTED
    : undefined;
};

const mv: DangerRule = ({ args, folders }) =>
  split(args)
    .operands.slice(0, -1)
    .some((arg) => targetsRoot(arg, folders))
    ? "would move a root, home or system folder away"
    : undefined;

const windows: DangerRule = ({ args, folders }) => {
  const deep = args.some((arg) => /^(?:\/s|-r\w*)$/iu.test(shown(arg)));
  return deep && args.some((arg) => !/^[-/]\w$/u.test(shown(arg)) && targetsRoot(arg, folders))
    ? ROOTED
    : undefined;
};

/** A program whose name is only known at run time, called as one would call `rm`. */
export function looksLikeDeletion({ args, folders }: Suspect): string | undefined {
  const { options } = split(args);
  return options.some((text) => /^-(?:[rR]f|f[rR])/u.test(text))
    ? rm({ name: "rm", args, folders, stdin: () => undefined })
    : undefined;
}

/** Recursive deletion, and changes of the same reach, of what a machine or its user cannot do without. */
export const deletion: Readonly<Record<string, DangerRule>> = {
  rm,
  grm: rm,
  unlink: rm,
  srm: rm,
  wipe: always,
  rimraf: always,
  trash: always,
  "del-cli": always,
  find,
  gfind: find,
  rsync,
  mv,
  chmod: rights,
  chown: rights,
  chgrp: rights,
  setfacl: rights,
  chattr: rights,
  del: windows,
  rd: windows,
  rmdir: windows,
  "remove-item": windows,
  ri: windows,
};
