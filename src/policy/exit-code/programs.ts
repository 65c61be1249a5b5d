import { always, OPEN, type Outcome } from "./outcome.ts";

/** Programs whose output is nothing but their own words. */
export const SPEAKING: ReadonlySet<string> = new Set(
  "true : false echo printf pwd date yes seq whoami hostname uname id logname tty".split(" "),
);
/** Programs that hand on what they are given; the number is how many operands mean that they read a file. */
const FILTERS: ReadonlyMap<string, number> = new Map(
  "grep:2 egrep:2 fgrep:2 rg:2 sed:2 awk:2 jq:2 cut:1 tr:9 head:1 tail:1 wc:1 sort:1 uniq:1 cat:1 tee:9 less:1 more:1 column:1 fold:1"
    .split(" ")
    .map((entry): [string, number] => [entry.split(":")[0] ?? "", Number(entry.split(":")[1])]),
);
const QUIET =
  "sleep wait export unset set shopt readonly declare local typeset alias unalias umask trap cd pushd popd printenv clear reset tput stty history jobs bg fg disown kill pkill which type hash whereis ps df du free top uptime find tree man open xdg-open read mapfile times ulimit";
const CHANGING = "touch mkdir rmdir rm mv cp ln chmod chown tee dd truncate install";
const SHOWING = "ls cat head tail stat wc file readlink realpath nl od xxd less more sort uniq cut du";
const NO_FILE = /^(?:-|\.{1,2}\/?|\/|~|\/dev\/.*|\/tmp\/?|\$.*)$/u;
/** Git's verbs that tell something by their exit code. */
const TELLING_GIT =
  /\b(?:grep|fsck|check-ignore|show-ref|merge-base|cat-file|verify-commit|verify-tag)\b|\b(?:diff\S*)\b.*--(?:exit-code|quiet|check)\b|ls-files.*--error-unmatch|rev-parse.*--verify|apply.*--check|\bshow\s+\S+:\S/u;
const SOFT =
  /^--(?:exit-zero|exit-0|collect-only|co|listTests|list-tests|list|showConfig|show-config|print-config|dry-run|just-print|recon|init|ignore-errors|help|version|fail-never|fail-under=0*(?:\.0+)?|show-only)$/u;
/** The same by what else stands in the call. */
const SOFT_CALLS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:\.\/)?mvnw? .*-D(?:maven\.)?test\.failure\.ignore(?!=false)|^(?:\.\/)?mvnw? (?:.* )?-fn\b/u,
    "maven ignores what fails",
  ],
  [
    /^(?:\.\/)?mvnw? .*-D(?:skipTests|maven\.test\.skip)(?!=false).* (?:test|verify)\b|^(?:\.\/)?mvnw? (?:.* )?(?:test|verify)\b.* -D(?:skipTests|maven\.test\.skip)(?!=false)/u,
    "maven skips the tests",
  ],
  [/^vitest list\b/u, "it only lists the tests"],
  [/^(?:ctest .*-N|(?:nox|tox) .*-l)\b/u, "it only lists what there is"],
];
const ASKING = /^(?:-v|-V|-h|-version|version|help)$/u;

const names = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const [QUIETS, CHANGES, SHOWS] = [names(QUIET), names(CHANGING), names(SHOWING)];

/** Whether a program does no more than hand on what it reads from a pipe. */
export function isFilter(words: readonly string[]): boolean {
  const needed = FILTERS.get(words[0] ?? "");
  return needed !== undefined && operandsOf(words).length < needed;
}

/** How a program that runs nothing of the project's own may end, by its words. */
export function judgeProgram(words: readonly string[]): Outcome {
  const [name = "", ...args] = words;
  if (SPEAKING.has(name)) return always(`\`${name}\` looks at nothing`);
  if (QUIETS.has(name)) return always(`\`${name}\` checks nothing`);
  if (CHANGES.has(name)) return always(`\`${name}\` changes files and checks nothing`);
  const soft =
    args.find((word) => SOFT.test(word)) ??
    (args.length === 1 ? args.find((word) => ASKING.test(word)) : undefined);
  if (soft !== undefined) return always(`with ${soft} it passes whatever there is`);
  const said = SOFT_CALLS.find(([call]) => call.test(words.join(" ")));
  if (said !== undefined) return always(said[1]);
  if (name === "git")
    return TELLING_GIT.test(args.join(" ")) ? OPEN : always("git shows or changes, and checks nothing");
  if (name === "jj") return always("jj shows or changes, and checks nothing");
  if (/^(?:g?make|just)$/u.test(name) && args.some((word) => /^-[a-zA-Z]*[nit][a-zA-Z]*$/u.test(word)))
    return always("make runs nothing, or ignores what fails");
  if (
    name === "go" &&
    args.some(
      (word, at) => /^--?run(?:=\^\$)?$/u.test(word) && `${word} ${args[at + 1] ?? ""}`.includes("^$"),
    )
  )
    return always("no test has that name");
  const operands = operandsOf(words);
  if (SHOWS.has(name)) {
    return operands.some((word) => !NO_FILE.test(word))
      ? OPEN
      : always(`\`${name}\` shows and checks nothing`);
  }
  if (/^(?:diff|cmp|comm)$/u.test(name) && operands.length === 2 && operands[0] === operands[1])
    return always("it compares a file with itself");
  if (isFilter(words)) return always("it reads no file");
  return OPEN;
}

const FILE_TEST = /^-[abcdefghkprstuwxGLNOS]$/u;

/** `test` and `[`: a file's state tells something, a comparison of the command's own words nothing. */
export function judgeTest(args: readonly { readonly text: string; readonly looks: boolean }[]): Outcome {
  const looks = args.some(
    (arg, at) =>
      arg.looks ||
      (FILE_TEST.test(arg.text) && at + 1 < args.length && !NO_FILE.test(args[at + 1]?.text ?? "")),
  );
  return looks ? OPEN : always("it compares nothing but its own words");
}

/** Programs that look for a pattern, which may be a number, and options of theirs that take one. */
const SEARCHING = /^(?:[ef]?grep|rg)$/u;
const COUNTED = /^(?:-\w*[ABCmjM]|--(?:after-context|before-context|context|max-count|max-depth|threads))$/u;

/** Its words that are no options, nor the value of one such as `-n 5`. */
function operandsOf([name = "", ...args]: readonly string[]): string[] {
  const takesNumber = SEARCHING.test(name) ? COUNTED : /^-/u;
  return args.filter(
    (word, at) => !word.startsWith("-") && !(/^\+?\d+$/u.test(word) && takesNumber.test(args[at - 1] ?? "")),
  );
}
