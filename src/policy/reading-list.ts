import type { LineWord, ParsedLine, SimpleCommand } from "./simple-commands.ts";

/** Programs that no option or operand makes write or run anything, and that show no environment (`jq` would). */
const READERS = words(`
  basename cat cd cksum cmp comm cut df diff dirname du echo egrep expr false fgrep fold grep head id ls md5sum nl
  nproc od paste pwd readlink realpath rev seq sha1sum sha256sum sha512sum sleep stat strings tac tail tr true
  type uname wc which whoami`);

/**
 * Programs that read as long as they are given no other options than these: single letters, and words. A letter may take a value:
 * what stands behind it has to be harmless as an option as well, for not every version of a program takes the same for one.
 */
const WITH_OPTIONS: Readonly<Record<string, ReadonlySet<string>>> = {
  find: words(`
    -name -iname -path -ipath -regex -iregex -type -maxdepth -mindepth -size -mtime -mmin -newer -empty -not -o -a -or
    -and -print -print0 -prune -perm -user -follow -xdev -mount -depth -L -H -P`),
  rg: words(`
    n i l c v w F e g t T A B C m o u H N S U L q s x a --files --hidden --no-ignore --glob --type --count
    --files-with-matches --ignore-case --line-number --no-heading --context --max-count --sort --json --fixed-strings
    --word-regexp --no-messages --max-depth --iglob --type-not --only-matching --multiline --column --stats`),
  sort: words(
    "n r u f b h V k t g d i M s z c --reverse --unique --numeric-sort --key --field-separator --version-sort",
  ),
};
/** Options of this one are whole words behind one `-`. */
const WORDY = "find";
/** A file of any name stands for such a pattern, also one that reads as an option. */
const PATTERN_FIRST = /^[*?[-]/u;

/** Verbs of git that read, whichever of the options below they are given. */
const GIT_VERBS = words(
  "blame describe diff grep log ls-files ls-tree merge-base rev-list rev-parse shortlog show status",
);
const GIT_OPTIONS = words(`
  a b c d e g h i l m n o p q r s t u v w z A B C D E F G H I L M P R S U --abbrev --abbrev-commit --abbrev-ref --after --all --always
  --author --before --branch --branches --cached --check --color --compact-summary --count --date --decorate --deleted
  --diff-filter --dirstat --email --error-unmatch --exclude-standard --exit-code --files-with-matches --find-renames
  --first-parent --follow --format --full-name --graph --grep --ignore-all-space --ignore-blank-lines --ignore-case
  --ignore-space-change --ignored --is-ancestor --left-right --line-number --long --match --max-count --merge-base --merges
  --minimal --modified --name-only --name-status --no-color --no-ext-diff --no-merges --no-patch --no-renames --no-textconv
  --numbered --numstat --oneline --others --patch --porcelain --pretty --quiet --raw --relative --remotes --reverse --short
  --shortstat --show-prefix --show-toplevel --since --skip --stage --staged --stat --submodule --summary --symbolic-full-name
  --tags --text --unified --until --untracked --untracked-files --verify --word-diff`);
/** Verbs that read while they are given nothing but these words. */
const GIT_BARE: Readonly<Record<string, ReadonlySet<string>>> = {
  branch: words("-a -r -v -vv --list --all --remotes --show-current --verbose"),
  remote: words("-v --verbose show"),
  tag: words("-l --list -n"),
};

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
  return options !== undefined && hasOnly(args, options, program === WORDY);
}

function gitReads(args: readonly LineWord[]): boolean {
  const [first, ...rest] = args[0]?.text === "--no-pager" ? args.slice(1) : args;
  if (first === undefined || first.kind !== "literal") return false;
  const bare = Object.hasOwn(GIT_BARE, first.text) ? GIT_BARE[first.text] : undefined;
  if (bare !== undefined) return rest.every(({ text, kind }) => kind === "literal" && bare.has(text));
  return GIT_VERBS.has(first.text) && hasOnly(rest, GIT_OPTIONS);
}

/** @param isWordy options are whole words behind one `-` */
function hasOnly(args: readonly LineWord[], known: ReadonlySet<string>, isWordy = false): boolean {
  return args.every(({ text: arg, kind }) => {
    if (kind === "pattern" && PATTERN_FIRST.test(arg)) return false;
    // Behind `--` as well: an option may take it for its value. Of `find` an age or a size is a number.
    if (!arg.startsWith("-") || arg === "-" || arg === "--" || /^-\d+$/u.test(arg)) return true;
    if (arg.startsWith("--") || isWordy) return known.has(arg.split("=", 1)[0] ?? "");
    return arg
      .slice(1)
      .split("")
      .every((letter) => known.has(letter) || /[\d.,]/u.test(letter));
  });
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/u));
}
