import fc from "fast-check";
import { calls } from "./calls.ts";

/** The program that no script may start without having been seen; what else a script names only reads. */
export const PAYLOAD = "zap";
/** Programs that a script finds. No token holds a slash, so that hardly anything else is reached. */
export const PROGRAMS = ["ls", "cat", "wc", "grep", "bash", "xargs", "env", PAYLOAD] as const;
/** Those that it finds as well where nothing that they do does harm. */
export const FURTHER_PROGRAMS = [
  "sh",
  "find",
  "sed",
  "awk",
  "git",
  "sort",
  "tee",
  "timeout",
  "nice",
  "nohup",
  "stdbuf",
] as const;

/** Everything that begins, ends or changes the meaning of something. Nothing runs in the background or loops. */
const TOKENS = [
  ..."'\"`$(){}[],;|#\\!*?~=:<- \n\t".split(""),
  "$'",
  '$"',
  "$(",
  "$((",
  "))",
  "${x:-",
  "${x+",
  "${x#",
  "${x%",
  "${x/",
  "${x:",
  "${#x}",
  "${x@Q}",
  "$x",
  "$@",
  "<(",
  "<<E\n",
  "<<-E\n",
  "<<'E'\n",
  "<<\\E\n",
  "\nE\n",
  "<<<",
  "\\\n",
  "$\\\n(",
  "&&",
  "||",
  "{,",
  "{a,",
  "{1..2}",
  "[[ ",
  " ]]",
  "case x in x) ",
  ";; esac",
  "if ",
  "; then ",
  "; fi",
  "for i in ",
  "; do ",
  "; done",
  "x=",
  "a=(",
  "a[",
  " -c ",
  " -n1 ",
  "eval ",
  "echo ",
  "ls ",
  "cat ",
  "bash -c ",
  "xargs ",
  "env ",
  "set -- ",
  "zap",
  " zap ",
  "$(zap)",
  "`zap`",
  "'$(zap)'",
];
const token = fc.constantFrom(...TOKENS);
const chaos = fc.array(token, { minLength: 2, maxLength: 14 }).map((tokens) => tokens.join(""));

/** The payload where it is only text, unless a shell reads what is around it in another way than the parser. */
const HIDDEN = [
  "'$(zap)'",
  "$'$(zap)'",
  "'`zap`'",
  "\\$(zap)",
  "\\`zap\\`",
  "$'\\x24(zap)'",
  "#$(zap)",
  "{,zap}",
  "{ls,zap}",
  "'zap'",
];
const PLAIN = ["a", "$x", "''", "\\\n", "*", "b c", "1"];
const NAMES = [
  "ls",
  "cat",
  "echo",
  ": <<<",
  "[[ a ==",
  "case a in",
  "bash -c",
  "bash 3<<<ls 0<<<",
  "xargs -n1",
  "x=",
];

function commandOf(name: string, words: readonly string[], body: string | null): string {
  const [first = "a", second = "a"] = words;
  if (name === "x=") return `x=${first}`;
  if (name === "[[ a ==") return `[[ a == ${first} ]]`;
  if (name === "case a in") return `case ${first} in ${second}) ls;; esac`;
  const line = [name, ...words].join(" ");
  return body === null ? line : `${line} <<E\n${body}\nE\n`;
}

/** Scripts that mostly parse: words in words, in commands, in lists. */
const { script: grammatical } = fc.letrec<{ script: string; command: string; word: string; piece: string }>(
  (tie) => ({
    piece: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(...PLAIN, ...HIDDEN),
      tie("word").map((word) => `"${word}"`),
      tie("command").map((command) => `$(${command})`),
      tie("command").map((command) => `\`${command}\``),
      fc
        .tuple(fc.constantFrom(":-", "+", "#", "%%", "/a/", "//"), tie("word"))
        .map(([operator, word]) => `\${x${operator}${word}}`),
      tie("word").map((word) => `{${word},b}`),
    ),
    word: fc.array(tie("piece"), { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join("")),
    command: fc
      .tuple(fc.constantFrom(...NAMES), fc.array(tie("word"), { maxLength: 2 }), fc.option(tie("word")))
      .map(([name, words, body]) => commandOf(name, words, body)),
    script: fc
      .array(fc.tuple(tie("command"), fc.constantFrom("\n", "; ", " | ", " && ")), {
        minLength: 1,
        maxLength: 2,
      })
      .map((parts) => parts.flat().slice(0, -1).join("")),
  }),
);

/** A script with something put in where it does not belong. */
const disturb = (text: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.tuple(text, token, fc.nat()).map(([script, extra, place]) => {
    const at = place % (script.length + 1);
    return script.slice(0, at) + extra + script.slice(at);
  });

/** What may make a `#` behind it no comment to one of the shells, and what closes it again. */
const OPENINGS = [
  "(",
  " (",
  "(a ",
  "a(",
  "(a|",
  "*(",
  "@(",
  "(ls;",
  "{",
  "{ ",
  "{a,",
  "[",
  "a[",
  "[[ ",
  "[[ a == ",
  "[[ a =~ ",
  "((",
  "x=(",
  "x+=(",
  "x=",
  "$((",
  "$[",
  "${x",
  "${x:-",
  "${x#",
  "$(",
  "$(ls ",
  "`",
  "<(",
  "<1-",
  "<<E\n",
  "<<<",
  "<<<a=(",
  "<",
  "<a=(",
  "eval ",
  "let ",
  "export ",
  "3>&",
  "case a in ",
  "case a in (",
  "for x in ",
  "for x (",
  "for ((",
  "f() ",
  "function f ",
  "time ",
  "! ",
  "coproc ",
  "repeat 1 ",
  "if ",
  "select x in ",
  '"',
  "$'",
  "\\",
  "ls\\\n",
];
const CLOSINGS = [
  ")",
  "))",
  "}",
  "]",
  " ]]",
  "`",
  '"',
  "\nE\n",
  " ls;; esac",
  "; do ls; done",
  "; then ls; fi",
  "{ ls; }",
  "|",
  "&&",
  ";",
];
const COMMENTED = [
  "#$(zap)",
  " #$(zap)",
  "\n#$(zap)",
  "#`zap`",
  " #`zap`",
  " # $(zap)",
  ";#$(zap)",
  "\t#<(zap)",
  " #${x:-$(zap)}",
];
const opened = fc.constantFrom(...OPENINGS, " ", "ls ", "env ", "a ", "\n", "; ");
const comments = fc
  .tuple(
    fc.array(opened, { minLength: 1, maxLength: 4 }),
    fc.constantFrom(...COMMENTED),
    fc.array(fc.oneof(fc.constantFrom(...CLOSINGS, " ", "\n", "\n", " a", "#", "'"), opened), {
      maxLength: 5,
    }),
  )
  .map(([before, comment, after]) => [...before, comment, ...after].join(""));

/** Scripts with a payload somewhere in them. */
export const script = fc
  .oneof(
    { weight: 2, arbitrary: grammatical },
    { weight: 2, arbitrary: disturb(grammatical) },
    { weight: 3, arbitrary: calls },
    { weight: 2, arbitrary: disturb(calls) },
    { weight: 2, arbitrary: comments },
    chaos,
  )
  .filter((text) => text.length < 400 && !/[\0]|(?:^|[^&])&(?!&)|&&&|(?<!^(?:awk|sed) [^\n]*)\//u.test(text));
