/** Quoted whole: as a code span, or as a string. */
const WHOLE = /^(?:(`{1,3})\s*([^`]+?)\s*\1|"([^"]+)"|'([^']+)')[.;]?$/s;
const SPAN = /(`{1,2})([^`]+)\1/g;
/** What people write between commands in backticks. */
const BETWEEN = /^[\s*_.,;:&+/]*(?:(?:and|then|also|plus|both|passes|pass|followed by)[\s*_.,;:&+]*)*$/i;
/** Words that begin a sentence about a command, and no command; behind some of them may be anything else as well. */
const RUNS = /^[*_]*(?:run|execute|running|by running)\b/i;
const ABOUT = /^[*_]*(?:check|ensure|confirm|verify|use|using|with|by|expect|make sure)\b/i;
/** How people say behind a command that it passes; a shell would read it as arguments. */
const PASSES =
  /\s+(?:(?:should |must |still )?(?:passes|succeeds)|(?:exits?|returns?) (?:with )?(?:code |status )?0|(?:is|are|stays?) (?:green|clean))[.!]?$/i;
/** A remark behind a command, which no shell would take. */
const REMARK = /(?<=[^\s;&|!({])\s+(?:\([^()"'`]*\)[.!]?|[—–→]\s[^"'`]*)$/;
const PROMPT = /^\s*\$\s+/;
const NO_COMMAND = /^(?:manual(?:ly)?|by (?:hand|eye)|none|n\/a|tbd|todo|[-–—])(?:$|[\s.,:])/i;
const SENTENCE = /^(?!Rscript\b)[A-Z][a-z]+(?:,? [A-Za-z\d'’-]+){2,}[.!]?$/;
const SPAN_IN_SENTENCE = /^[A-Z][a-z]+ [^`]*`/;
const PASS =
  /^(?:all )?(?:the )?(?:unit |new |existing )?(?:tests?|checks?|suite) (?:pass(?:es)?|(?:is|are) green)[.!]?$/i;
/** A line that goes on in the next one, or belongs to what does: none of it is a command by itself. */
const UNFINISHED = /(?:[|({]|&&|\b(?:do|then|else))\s*$|<<|^\s*(?:done|fi|esac|\}|\))/;
const FENCE = /^\s*(?:`{3,}|~{3,})/;
const SHELL = /^\s*(?:`{3,}|~{3,})\s*(?:sh|bash|shell|zsh|console|terminal|text|shell-session)?\s*$/i;

/** Whether what a task says of its check is a command: a sentence, or that a person looks, is none. */
export function isCommand(value: string): boolean {
  const isSentence = [SENTENCE, SPAN_IN_SENTENCE, PASS, NO_COMMAND].some((pattern) => pattern.test(value));
  return value !== "" && !isSentence;
}

/** A command without the marks and the words around it: `` `npm test` (all green) ``, `` `a` and `b` ``, `$ npm test`. */
export function readCommand(value: string): string {
  const bare = value.trim().replace(/^(\*\*|__)(.*)\1$/s, "$2");
  const whole = WHOLE.exec(bare);
  if (whole !== null) return (whole[2] ?? whole[3] ?? whole[4] ?? "").replace(PROMPT, "").trim();
  const spans = [...bare.matchAll(SPAN)];
  const first = spans[0];
  if (first === undefined) return bare.replace(PROMPT, "").replace(REMARK, "").replace(PASSES, "").trim();
  const lead = bare.slice(0, first.index);
  // Backticks within a command are the shell's.
  const isLed = RUNS.test(lead) || (ABOUT.test(lead) && /\s/.test(first[2] ?? ""));
  if (/[^\s*_]/.test(lead) && !isLed) return bare;
  const between = spans.slice(1).map(({ index }, at) => {
    const before = spans[at];
    return bare.slice((before?.index ?? 0) + (before?.[0].length ?? 0), index);
  });
  const count = between.findIndex((text) => !BETWEEN.test(text));
  const meant = spans.slice(0, count < 0 ? spans.length : count + 1);
  return joinCommands(meant.map(([, , command = ""]) => command.replace(PROMPT, "").trim()));
}

/** Several commands as one that passes when all of them do. */
export function joinCommands(commands: readonly string[]): string {
  const [only = "", ...others] = [...new Set(commands)];
  if (others.length === 0) return only;
  return [only, ...others]
    .map((command) => (/\|\||;|^\s*!/.test(command) ? `(${command})` : command))
    .join(" && ");
}

/** The commands in a block of code, a line each; none where one of them is more than a line, or it is no shell's. */
export function commandsIn(block: readonly string[]): readonly string[] {
  const isFenced = FENCE.test(block[0] ?? "");
  if (isFenced && !SHELL.test(block[0] ?? "")) return [];
  const lines = (isFenced ? block.slice(1) : block)
    .filter((line) => !(isFenced && FENCE.test(line)))
    .join("\n")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n");
  const isSession = lines.some((line) => PROMPT.test(line));
  const commands = lines
    // What stands below a prompt is what the command answered.
    .filter((line) => (isSession ? PROMPT.test(line) : /^\s*[^\s#]/.test(line)))
    .map((line) => line.replace(PROMPT, "").trim());
  return commands.some((line) => UNFINISHED.test(line)) ? [] : commands;
}
