import type { Effect } from "../examination.ts";
import { type Arg, leading, mayHideOption, shown, textOf } from "../shell/arg.ts";
import { choice, kindOf, one, oneOf, type Operands, repeated, sequence } from "./operands.ts";
import { type OptionKind, type OptionRules, readerOf } from "./options.ts";
import { LAST, withOutputs } from "./outputs.ts";
import { namesAllAddresses, namesPathOutside } from "./paths.ts";
import { abbreviates, type Call, found, hiddenOption, type Program, startOf } from "./program.ts";

/** One usage line, ready to be held against a call. */
interface Usage {
  readonly effect: Effect;
  /** What names files that a call replaces, as for `withOutputs`. */
  readonly outputs: readonly string[];
  /** Why a call does not fit, "" when the line is about something else, undefined when it fits. */
  fits(call: Call): string | undefined;
}

const REGEX = String.raw`\/(?:[^/\\\s[]|\\\S|\[(?:[^\]\\\s]|\\\S)*\])+\/[is]*`;
const TOKEN = new RegExp(
  String.raw`\s*(?:(?<option>-\{[^\s}]+\}|--?[\w-][\w.-]*)(?:(?<takes>[=?>])(?<value>${REGEX}|[A-Z](?!\w))?)?|!(?<deny>${REGEX}|--?\w[\w-]*)|(?<regex>${REGEX})|(?<kind>[A-Z](?!\w))|(?<mark>\.\.\.|[()[\]|*+?>])|(?<word>[\w.:@-]+))`,
  "uy",
);

/** Takes one usage line apart, from left to right. */
class Parser implements OptionRules {
  readonly known = new Map<string, OptionKind>();
  readonly required: string[][] = [];
  readonly denied: ((arg: Arg) => boolean)[] = [];
  readonly outputs: string[] = [];
  bundles = false;
  leading: number | undefined;
  #least = 0;
  open = false;
  #at = 0;
  #token: Partial<Record<string, string>> = {};
  readonly #source: string;

  constructor(source: string) {
    this.#source = source;
    this.#next();
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    const { groups } = TOKEN.exec(this.#source) ?? {};
    if (groups === undefined && this.#source.slice(this.#at).trim() !== "")
      throw new Error(`cannot be read from ${this.#source.slice(this.#at)}`);
    this.#token = groups ?? {};
    this.#at = groups === undefined ? this.#source.length : TOKEN.lastIndex;
  }

  #take(mark: string): boolean {
    const taken = this.#token["mark"] === mark;
    if (taken) this.#next();
    return taken;
  }

  line(): Operands {
    const parts: Operands[] = [];
    while (Object.values(this.#token).some((text) => text !== undefined)) {
      if (this.open && this.#token["deny"] === undefined) throw new Error("only ! can stand behind ...");
      const part = this.#item();
      if (part === undefined) continue;
      parts.push(part);
      if (part([], 0).length === 0) this.#least++;
    }
    return sequence(parts);
  }

  #item(): Operands | undefined {
    const { deny, option } = this.#token;
    if (deny !== undefined) return this.#deny(deny);
    if (this.#take("...")) {
      this.open = true;
      return undefined;
    }
    if (this.#take(">")) {
      this.outputs.push(LAST);
      return undefined;
    }
    if (this.#take("[")) {
      while (!this.#take("]")) this.#option();
      return undefined;
    }
    if (option === "--") {
      this.leading = this.#least;
      this.#next();
      return undefined;
    }
    const group = this.#take("(");
    if (this.#token["option"] !== undefined) return this.#requirement(group);
    return group ? this.#quantified(this.#group()) : this.#alternatives();
  }

  #alternatives(): Operands {
    const parts = [this.#atom()];
    while (this.#take("|")) parts.push(this.#atom());
    return choice(parts);
  }

  #group(): Operands {
    const parts: Operands[] = [];
    do {
      const words = [this.#atom()];
      while (this.#token["mark"] !== "|" && this.#token["mark"] !== ")") words.push(this.#atom());
      parts.push(sequence(words));
    } while (this.#take("|"));
    if (!this.#take(")")) throw new Error("a group is not closed");
    return choice(parts);
  }

  #atom(): Operands {
    const { word, kind, regex } = this.#token;
    if (this.#take("(")) return this.#quantified(this.#group());
    const source = kind ?? regex;
    if (word === undefined && source === undefined) throw new Error("a word is missing");
    this.#next();
    if (word !== undefined) {
      if (this.#take(">")) this.outputs.push(word);
      return this.#quantified(oneOf([word]));
    }
    const fits = kindOf(source ?? "");
    const many = this.#token["mark"] === "*" || this.#token["mark"] === "+";
    const safe = (arg: Arg): boolean => kind === "F" || !leading(arg).startsWith("-");
    return this.#quantified(one((arg) => (many || !arg.many) && safe(arg) && fits(arg)));
  }

  #quantified(part: Operands): Operands {
    if (this.#take("*")) return repeated(part, 0, Infinity);
    if (this.#take("+")) return repeated(part, 1, Infinity);
    return this.#take("?") ? repeated(part, 0, 1) : part;
  }

  #requirement(group: boolean): undefined {
    const names: string[] = [];
    do names.push(...this.#option());
    while (this.#take("|"));
    if (group && !this.#take(")")) throw new Error("a group of options holds something else");
    this.required.push(names);
  }

  #option(): string[] {
    const { option, takes, value } = this.#token;
    if (option === undefined || option === "--") throw new Error("an option is missing");
    const bundle = /^-\{(.*)\}$/u.exec(option)?.[1]?.replace("0-9", "0123456789");
    const names = bundle === undefined ? [option] : bundle.split("").map((letter) => `-${letter}`);
    if (bundle !== undefined) this.bundles = true;
    if (takes === ">") {
      if (value !== undefined) throw new Error("what is replaced is of no kind");
      this.outputs.push(...names);
      this.#next();
      return names;
    }
    const kind: OptionKind = {
      takes: takes === "=" || takes === "?" ? takes : "",
      fits: value === undefined ? undefined : kindOf(value),
      behind: this.#least,
    };
    for (const name of names) {
      if ((this.known.get(name) ?? kind).takes !== kind.takes) throw new Error(`${name} stands there twice`);
      if (!this.known.has(name)) this.known.set(name, kind);
    }
    this.#next();
    return names.map((name) => name.replace(/^--?/u, ""));
  }

  #deny(source: string): undefined {
    if (source.startsWith("/")) {
      const expression = new RegExp(source.slice(1, source.lastIndexOf("/")), "u");
      const ofOptions = source.startsWith("/^-");
      this.denied.push((arg) =>
        textOf(arg) === undefined && !(ofOptions && !leading(arg).startsWith("-"))
          ? true
          : expression.test(textOf(arg) ?? ""),
      );
    } else {
      this.denied.push((arg) => {
        const text = leading(arg);
        return (
          (text.startsWith(source) || abbreviates(text, [source])) &&
          !this.known.has(text.replace(/=.*$/su, ""))
        );
      });
    }
    this.#next();
  }
}

function usageOf(source: string, effect: Effect): Usage {
  if (source === "*") return { effect, outputs: [], fits: () => undefined };
  const line = new Parser(source);
  const operands = line.line();
  if (line.bundles && line.open)
    throw new Error("letters cannot be told apart where any option is let through");
  if (line.outputs.length > 0 && !line.open) throw new Error("files to replace are named before ... only");
  const read = readerOf(line);
  const { outputs } = line;
  return {
    effect,
    outputs,
    fits({ args, name }) {
      const hidden = line.open ? hiddenOption(args) : undefined;
      if (hidden !== undefined) return hidden;
      const denied = args.slice(0, endOfOptions(args)).find((arg) => line.denied.some((deny) => deny(arg)));
      if (denied !== undefined) return `${name} ${shown(denied)} is not known to be harmless`;
      const options = read(args);
      if ("problem" in options) return options.problem;
      const given = line.required.every((names) => names.some((option) => options.given.has(option)));
      const late = line.leading !== undefined && !args.some((arg) => textOf(arg) === "--");
      if (!given || (late && options.operands.some((arg) => /^-./u.test(leading(arg)) || mayHideOption(arg))))
        return "";
      const ends = operands(options.operands, 0);
      return (line.open ? ends.length > 0 : ends.includes(options.operands.length)) ? undefined : "";
    },
  };
}

/** Where no option can follow: behind a `--`, unless that may be the value of the option before it. */
function endOfOptions(args: readonly Arg[]): number {
  const end = args.findIndex(
    (arg, index) => textOf(arg) === "--" && !/^-[^=]*$/u.test(textOf(args[index - 1]) ?? ""),
  );
  return end === -1 ? args.length : end;
}

/** A program that does what the first line says that a call fits. */
function programOf(usages: readonly Usage[]): Program {
  return (call) => {
    const problems: string[] = [];
    for (const usage of usages) {
      const problem = usage.fits(call);
      if (problem === undefined) {
        if (usage.effect === "read") return undefined;
        if (usage.effect !== "project") return found(usage.effect, call);
        if (namesPathOutside(call)) return found("outside", call);
        return namesAllAddresses(call)
          ? `${startOf(call)} listens for everyone`
          : withOutputs(found("project", call), call, usage.outputs);
      }
      problems.push(problem);
    }
    const advice = problems.find((problem) => problem.includes(" may turn "));
    const reason = advice ?? (problems.includes("") ? undefined : problems[0]);
    return reason ?? `${startOf(call)} is not known to be read-only`;
  };
}

/** True when a further line of these stands as far left as the first, and so should be a usage line of its own. */
function beginsAnother(text: string): boolean {
  const [first = 0, ...further] = text
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => line.search(/\S/u));
  return further.some((indent) => indent <= first);
}

/**
 * Programs by name, from usage lines. A line reads `names pattern => effect` and may be continued on further ones, which
 * are indented more; those that begin with `#` are left out. The first line that a call fits says what it does; what
 * fits none is not read-only. In a pattern:
 *
 * - `list`, `a|b`, `(a|b c)`: words that have to stand there, in this order; `W` is any known word, `N` a number, `I` a
 *   name, `L` a local file, `F` any operand but `+…`, `P` one that begins so, `/…/` a known word that matches as a whole;
 *   `?`, `*` and `+` repeat them
 * - `[-a --all --sort= --color? -n=N]`: options in any order behind the words before them; `=` with a value, `?` with one
 *   that is attached, of a kind where one is named; `-{abc}` are letters that may be bundled, and so may then all others
 * - `-c>`, `create>`: what puts the file that follows in the place of what was there, as `-o`, `--output` and their like do
 *   in every line; `>` alone does so with the last operand; before `...` only
 * - `-l` or `(-n|--dry-run)` outside brackets: an option, or one of several, that has to be given
 * - `--`: from here on, options stand before the operands only
 * - `...`: what is named up to here, then whatever is not denied: `!--web` refuses the options that begin so and their
 *   abbreviations, unless the line names them, `!/…/` arguments that match somewhere or are not known, and `!/^-…/` the
 *   same of options only
 * - `*` alone: anything at all
 *
 * @throws when a line cannot be read
 */
export function programsFrom(text: string): ReadonlyMap<string, Program> {
  const usages = new Map<string, Usage[]>();
  const lines = text.replaceAll(/^\s*#.*$/gmu, "").split(/(?<==>\s*\w+)(?=\s)/u);
  for (const line of lines.filter((part) => part.trim() !== "")) {
    const [, names = "", pattern = "", effect] =
      /^\s*(\S+)(?:\s+(.*?))?\s*=>\s*(read|project|history|lossy|outside)$/su.exec(line) ?? [];
    try {
      if (effect === undefined || beginsAnother(line)) throw new Error("no effect is named");
      const usage = usageOf(pattern, effect as Effect);
      for (const name of names.split("|")) usages.set(name, [...(usages.get(name) ?? []), usage]);
    } catch (cause) {
      throw new Error(`usage line ${line.trim()}: ${String(cause)}`, { cause });
    }
  }
  return new Map([...usages].map(([name, listed]) => [name, programOf(listed)]));
}
