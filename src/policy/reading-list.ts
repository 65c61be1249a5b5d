import type { LineWord, ParsedLine, SimpleCommand } from "./simple-commands.ts";

/** Programs that no option or operand makes write or run anything, and that show no environment (`jq` would). */
const READERS = words(`
  basename cat cd cksum cmp comm cut df diff dirname du echo egrep expr false fgrep fold grep head id ls md5sum nl
  nproc od paste pwd readlink realpath rev seq sha1sum sha256sum sha512sum sleep stat strings tac tail tr true
  type uname wc which whoami`);

/**
 * Programs that read as long as they are given no other options than these: single letters, `:` behind those that take a
 * value, and long names. `printf` is none of them, for zsh evaluates what it is to print as a number.
 */
const WITH_OPTIONS: Readonly<Record<string, string>> = {
  date: "u I R --iso-8601 --utc --rfc-3339 --date",
  file: "b i L --brief --mime --mime-type --mime-encoding",
  find: [
    "-name -iname -path -ipath -regex -iregex -type -maxdepth -mindepth -size -mtime -mmin -newer -empty -not -o -a -or",
    "-and -print -print0 -prune -perm -user -follow -xdev -mount -depth -L -H -P",
  ].join(" "),
  rg: [
    "n i l c v w F e: g: t: T: A: B: C: m: o u H N S U L q s x a --files --hidden --no-ignore --glob --type --count",
    "--files-with-matches --ignore-case --line-number --no-heading --context --max-count --sort --json --fixed-strings",
    "--word-regexp --no-messages --max-depth --iglob --type-not --only-matching --multiline --column --stats",
  ].join(" "),
  sort: "n r u f b h V k: t: g d i M s z c --reverse --unique --numeric-sort --key --field-separator --version-sort",
  tree: "-a -d -L -I -P -f -i -F --dirsfirst --gitignore --noreport --prune",
  uniq: "c d u i --count --repeated --unique --ignore-case",
};
/** A file of any name stands for such a pattern. */
const PATTERN_FIRST = /^[*?[-]/u;
/** Options of these are whole words behind one `-`. */
const LONG: ReadonlySet<string> = new Set(["find", "tree"]);
/** What these are given as an operand they may write, or set the clock by; a format begins with `+`. */
const NO_OPERANDS: ReadonlySet<string> = new Set(["date", "uniq"]);
const NOT_OPERAND = /^(?:\+|-+[^-])/u;

/** Verbs of git that read, with the options that keep them so. */
const GIT: Readonly<Record<string, string>> = {
  blame: "L: w C M e s l p --porcelain --date",
  "cat-file": "t s e p --batch-check",
  describe: "--tags --always --all --long --abbrev --dirty --match",
  diff: gitDiff(),
  "diff-tree": gitDiff(),
  grep: "n i l c v w e: E F P h H o I q A: B: C: --line-number --files-with-matches --untracked --cached --count --ignore-case",
  log: `${gitDiff()} n: L: S: G: g --oneline --graph --all --decorate --format --pretty --since --until --after --before --author --grep --follow --first-parent --merges --no-merges --reverse --max-count --date --branches --tags --remotes --abbrev-commit --skip`,
  "ls-files":
    "o c m d s z t --others --cached --modified --deleted --stage --exclude-standard --error-unmatch --full-name --ignored",
  "ls-tree": "r t d l z --name-only --full-tree --full-name",
  "merge-base": "a --is-ancestor --all --fork-point",
  "name-rev": "--name-only --tags",
  "rev-list":
    "n: --count --all --max-count --since --until --left-right --first-parent --no-merges --objects",
  "rev-parse":
    "q --verify --short --abbrev-ref --show-toplevel --show-prefix --git-dir --is-inside-work-tree --symbolic-full-name",
  shortlog: "s n e --summary --numbered --email --no-merges",
  show: `${gitDiff()} --format --pretty --oneline --no-patch`,
  status: "s b u z v --short --branch --porcelain --untracked-files --ignored --long --show-stash",
};
/** Verbs that read while they are given nothing but these words. */
const GIT_BARE: Readonly<Record<string, string>> = {
  branch: "-a -r -v -vv --list --all --remotes --show-current --verbose",
  remote: "-v --verbose show",
  tag: "-l --list -n",
};
/** Verbs that read behind one of these words, and change something without. */
const GIT_SECOND: Readonly<Record<string, string>> = { stash: "list show", worktree: "list" };

/** The letters of `git diff`, which `log` and `show` take as well. */
function gitDiff(): string {
  return [
    "p u s b w M C R z U: --stat --numstat --shortstat --name-only --name-status --cached --staged --patch --no-patch",
    "--summary --unified --word-diff --color --no-color --minimal --patience --histogram --ignore-all-space --diff-filter",
    "--ignore-space-change --ignore-blank-lines --find-renames --no-renames --check --quiet --exit-code --relative --raw",
    "--no-ext-diff --no-textconv --text --submodule --function-context --compact-summary --dirstat --merge-base",
  ].join(" ");
}

/**
 * Whether every command of a line is on the short list of what only reads (SPEC 9). What is not known to read does not:
 * without a sandbox it is asked about, with one this decides no more than whether the read-only profile serves.
 */
export function isReading({ commands, outputs, inputs, isOpaque }: ParsedLine): boolean {
  if (isOpaque || commands.length === 0) return false;
  return (
    outputs.every(({ text, kind }) => kind === "literal" && text === "/dev/null") &&
    // Of these bash makes connections.
    inputs.every(({ text, kind }) => kind !== "unknown" && !/\/dev\/(?:tcp|udp)\//u.test(text)) &&
    commands.every(reads)
  );
}

function reads({ words: [name, ...args], assigns }: SimpleCommand): boolean {
  if (name === undefined || name.kind !== "literal" || assigns) return false;
  // A word that is known at run time only may be an option, or name what holds secrets.
  if (args.some(({ kind }) => kind === "unknown")) return false;
  const program = name.text;
  if (READERS.has(program)) return true;
  if (program === "git") return gitReads(args);
  const options = Object.hasOwn(WITH_OPTIONS, program) ? WITH_OPTIONS[program] : undefined;
  if (options === undefined || !hasOnly(args, options, LONG.has(program))) return false;
  return !NO_OPERANDS.has(program) || args.every(({ text }) => NOT_OPERAND.test(text));
}

function gitReads(args: readonly LineWord[]): boolean {
  const [first, ...rest] = args[0]?.text === "--no-pager" ? args.slice(1) : args;
  if (first === undefined || first.kind !== "literal") return false;
  const verb = first.text;
  const bare = Object.hasOwn(GIT_BARE, verb) ? GIT_BARE[verb] : undefined;
  if (bare !== undefined)
    return rest.every(({ text, kind }) => kind === "literal" && bare.split(" ").includes(text));
  const [second, ...behind] = rest;
  if (Object.hasOwn(GIT_SECOND, verb))
    return (
      GIT_SECOND[verb]?.split(" ").includes(second?.text ?? "") === true &&
      hasOnly(behind, `${gitDiff()} --porcelain`)
    );
  const options = Object.hasOwn(GIT, verb) ? GIT[verb] : undefined;
  return options !== undefined && hasOnly(rest, options);
}

/** @param isLong options are whole words behind one `-` */
function hasOnly(args: readonly LineWord[], options: string, isLong = false): boolean {
  const known = words(options);
  let isValue = false;
  for (const { text: arg, kind } of args) {
    // It may turn out to be an option.
    if (kind === "pattern" && PATTERN_FIRST.test(arg)) return false;
    // Behind `--` as well: an option may take it for its value.
    if (!arg.startsWith("-") || arg === "-" || arg === "--") {
      isValue = false;
      continue;
    }
    // Not every version of a program takes the same for a value.
    if (isValue) return false;
    // Of `find` an age or a size.
    if (isLong && /^-\d/u.test(arg)) continue;
    if (arg.startsWith("--") || isLong) {
      if (!known.has(arg.split("=", 1)[0] ?? "")) return false;
      continue;
    }
    const took = lettersOf(arg.slice(1), known);
    if (took === "unknown") return false;
    isValue = took === "value follows";
  }
  return true;
}

function lettersOf(letters: string, known: ReadonlySet<string>): "known" | "unknown" | "value follows" {
  if (Number.isInteger(Number(letters))) return known.has("n:") ? "known" : "unknown";
  for (const [index, letter] of letters.split("").entries()) {
    if (known.has(`${letter}:`)) return index === letters.length - 1 ? "value follows" : "known";
    if (!known.has(letter)) return "unknown";
  }
  return "known";
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/u));
}
