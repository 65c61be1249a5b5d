import { posix } from "node:path";
import { type LineWord, type ParsedLine, parseLine } from "./simple-commands.ts";

/** Programs whose operands are a command. */
const CARRIERS = new Set(
  "builtin busybox chroot command doas env exec flock ionice nice nohup parallel setsid stdbuf strace taskset time timeout unshare watch xargs".split(
    " ",
  ),
);
/** Of these one operand stands in front of the command. */
const WITH_OPERAND = new Set(["chroot", "flock", "taskset", "timeout"]);
const SHELLS = new Set(["sh", "bash", "dash", "zsh", "ash", "ksh", "eval"]);
/** How deep shells may be given as the text of shells, and how far behind a carrier its command may stand. */
const MAX_SHELLS = 3;
const MAX_CARRIED = 64;
/** Words of a command that are looked at. */
const MAX_WORDS = 512;

/**
 * The commands of a line, with those that they plainly start: behind `env` and its like, or as the text of a shell.
 * Which options of a carrier take a value is not known, so that a word behind one counts as a command as well.
 */
export function startedBy({ commands }: ParsedLine, depth = 0): (readonly LineWord[])[] {
  return commands.flatMap(({ words }) =>
    startsIn(words).flatMap((start) => {
      const started = words.slice(start, start + MAX_WORDS);
      const inside = depth < MAX_SHELLS ? textsFor(started) : [];
      return [started, ...inside.flatMap((text) => startedBy(parseLine(text), depth + 1))];
    }),
  );
}

/** Where in a command its own program stands, and those that it carries. */
function startsIn(words: readonly LineWord[]): number[] {
  const starts = [0];
  let carrier = programOf(words[0]);
  let skipped = 0;
  if (!CARRIERS.has(carrier) && carrier !== "find") return starts;
  for (let at = 1; at < Math.min(words.length, MAX_CARRIED); at += 1) {
    const text = words[at]?.text ?? "";
    const before = words[at - 1]?.text ?? "";
    if (carrier === "find" && !/^-(?:exec|ok)(?:dir)?$/u.test(before)) continue;
    // What a shell builtin is asked about, it does not start.
    if (carrier === "command" && /^-[vV]+$/u.test(text)) return starts;
    if (text.startsWith("-") || /^\w+=/u.test(text)) continue;
    starts.push(at);
    const program = programOf(words[at]);
    if (SHELLS.has(program)) break;
    if (CARRIERS.has(program) || program === "find") {
      carrier = program;
      skipped = 0;
    } else if (!before.startsWith("-") || carrier === "find") {
      if (skipped > 0 || !WITH_OPERAND.has(carrier)) break;
      skipped += 1;
    }
  }
  return starts;
}

/** What a shell is given to run as text. */
function textsFor([program, ...args]: readonly LineWord[]): string[] {
  const name = programOf(program);
  const texts = args.map(({ text }) => text);
  if (name === "eval") return [texts.join(" ")];
  const at = SHELLS.has(name) ? texts.findIndex((text) => /^-[a-z]*c[a-z]*$/iu.test(text)) : -1;
  const text = at === -1 ? undefined : texts.slice(at + 1).find((each) => !/^[-+]/u.test(each));
  return text === undefined ? [] : [text];
}

function programOf(word: LineWord | undefined): string {
  return word === undefined || word.kind === "unknown" ? "" : posix.basename(word.text).toLowerCase();
}
