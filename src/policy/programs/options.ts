import { type Arg, leading, literal, mayHideOption, shown, textOf } from "../shell/arg.ts";

/**
 * The options that a program may be given, as getopt writes them, for the programs that are judged by code. Every other
 * option is refused, and so is every abbreviation, which keeps the tables short and lets a program grow options
 * without becoming unsafe.
 */
export interface OptionTable {
  /** Space-separated: letters without a value run together, then `k:` with a value, `I?` with one that is attached. */
  readonly short?: string;
  /** Space-separated names without dashes: `name`, `name=` with a value, `name?` with one that is attached by `=`. */
  readonly long?: string;
  /** `-5` is an option too. */
  readonly digits?: boolean;
  /** Options end at the first operand. */
  readonly leading?: boolean;
}

/** What an option takes: nothing, a value (attached or the next argument), or only an attached one. */
export interface OptionKind {
  readonly takes: "" | "=" | "?";
  /** So many operands have to stand before it. */
  readonly behind?: number;
  /** Tells which values are harmless; without it all are. */
  readonly fits?: ((value: Arg) => boolean) | undefined;
}

/** What is known of a program's options. */
export interface OptionRules {
  /** By name with its dashes: `-n`, `--name`, `-name`. */
  readonly known: ReadonlyMap<string, OptionKind>;
  /** Letters may be run together, and their values attached to them. */
  readonly bundles: boolean;
  /** Options end at the operand behind so many others. */
  readonly leading?: number | undefined;
  /** The first option that is not known, or a `--`, ends the reading instead of being refused. */
  readonly open?: boolean;
}

/** Options and operands told apart. */
export interface Options {
  /** Values by name without dashes; an option without a value has an empty list. */
  readonly given: ReadonlyMap<string, readonly Arg[]>;
  readonly operands: readonly Arg[];
}

/** Why these arguments are not all harmless, or the options and operands they hold. */
export type Reading = { readonly problem: string } | Options;

function rulesOf({ short, long, digits, leading: ends }: OptionTable): OptionRules {
  const known = new Map<string, OptionKind>();
  for (const item of `${digits === true ? "0123456789 " : ""}${short ?? ""}`.split(" ")) {
    if (/^.[:?]$/u.test(item)) known.set(`-${item.charAt(0)}`, { takes: item.endsWith("?") ? "?" : "=" });
    else for (const letter of item) known.set(`-${letter}`, { takes: "" });
  }
  for (const item of long?.split(" ") ?? []) {
    const [, name = "", takes = ""] = /^(.*?)([=?]?)$/u.exec(item) ?? [];
    known.set(`--${name}`, { takes: takes === "=" || takes === "?" ? takes : "" });
  }
  return { known, bundles: true, leading: ends === true ? 0 : undefined };
}

/** Reads one argument list; holds the place so that options with values can take the next argument. */
class Reader {
  readonly given = new Map<string, Arg[]>();
  readonly operands: Arg[] = [];
  #index = 0;
  readonly #args: readonly Arg[];
  readonly #rules: OptionRules;

  constructor(args: readonly Arg[], rules: OptionRules) {
    this.#args = args;
    this.#rules = rules;
  }

  read(): string | undefined {
    for (; this.#index < this.#args.length; this.#index++) {
      const arg = this.#args[this.#index] ?? literal("");
      const text = leading(arg);
      if (textOf(arg) === "--") return this.#rules.open === true ? undefined : this.#rest(1);
      const option = text.startsWith("-") && textOf(arg) !== "-";
      if (!option && mayHideOption(arg))
        return `${shown(arg)} may turn into an option; put it after -- or write ./ before it`;
      if (!option && this.operands.length >= (this.#rules.leading ?? Infinity)) return this.#rest(0);
      if (option && this.#rules.open === true && !this.#rules.known.has(headOf(text))) return undefined;
      const problem = option ? this.#option(arg, text) : undefined;
      if (problem !== undefined) return problem;
      if (!option) this.operands.push(arg);
    }
    return undefined;
  }

  #rest(skip: number): undefined {
    this.operands.push(...this.#args.slice(this.#index + skip));
  }

  #option(arg: Arg, text: string): string | undefined {
    const { known, bundles } = this.#rules;
    const head = headOf(text);
    if ((known.get(head)?.behind ?? 0) > this.operands.length)
      return `option ${head} stands before what it belongs to`;
    const kind = bundles && !text.startsWith("--") && head.length === 2 ? undefined : known.get(head);
    const attached = text.includes("=");
    const whole = textOf(arg) !== undefined;
    if (kind !== undefined && (attached || whole)) {
      if (kind.takes === "" && attached) return `option ${head} takes no value`;
      return this.#value(head, kind, attached ? text.slice(head.length + 1) : undefined);
    }
    if (bundles && !text.startsWith("--")) return this.#bundle(arg, text, whole);
    const letter = known.get(text.slice(0, 2));
    const glued = literal(text.slice(2));
    // Elsewhere only numbers are glued to a letter; more letters would be options of their own.
    if (!whole || attached || !/^-.\d/u.test(text) || letter?.fits?.(glued) !== true)
      return `option ${shown(arg)} is not known to be harmless`;
    return this.#keep(text.slice(1, 2), glued);
  }

  #bundle(arg: Arg, text: string, whole: boolean): string | undefined {
    for (let at = 1; at < text.length; at++) {
      const letter = text.slice(at, at + 1);
      const kind = this.#rules.known.get(`-${letter}`);
      if (kind === undefined || (kind.behind ?? 0) > this.operands.length)
        return `option -${letter} is not known to be harmless`;
      const ends = whole && at === text.length - 1;
      if (kind.takes !== "") return this.#value(letter, kind, ends ? undefined : text.slice(at + 1));
      this.#keep(letter);
    }
    return whole ? undefined : `${shown(arg)} may hold further options`;
  }

  #keep(option: string, value?: Arg): undefined {
    const name = option.replace(/^--?/u, "");
    this.given.set(name, [...(this.given.get(name) ?? []), ...(value === undefined ? [] : [value])]);
  }

  /** Takes the value of an option: attached to it, or, where it needs one and has none, the next argument. */
  #value(option: string, { takes, fits }: OptionKind, attached: string | undefined): string | undefined {
    const current = this.#args[this.#index] ?? literal("");
    if (takes === "" || (takes === "?" && attached === undefined))
      return this.#keep(option, takes === "" ? undefined : literal(""));
    const open = textOf(current) === undefined;
    const value = attached === undefined ? this.#args[++this.#index] : open ? current : literal(attached);
    this.#keep(option, value);
    if (value?.many === true) return `${shown(value)} may turn into several arguments`;
    const fitting =
      fits === undefined || (value !== undefined && !(open && attached !== undefined) && fits(value));
    return fitting ? undefined : `the value of option ${option} is not known to be harmless`;
  }
}

function headOf(text: string): string {
  return text.split("=", 1)[0] ?? text;
}

/** Makes a reader of argument lists from what is known of the options. */
export function readerOf(rules: OptionRules): (args: readonly Arg[]) => Reading {
  return (args) => {
    const state = new Reader(args, rules);
    const problem = state.read();
    return problem === undefined ? { given: state.given, operands: state.operands } : { problem };
  };
}

/** Makes a reader of argument lists from a table; the table is taken apart once. */
export function optionReader(table: OptionTable): (args: readonly Arg[]) => Reading {
  return readerOf(rulesOf(table));
}

/** Refuses more than `limit` operands, or operands that may turn out to be more. */
export function atMost(limit: number, operands: readonly Arg[]): string | undefined {
  const open = operands.some((arg) => arg.many);
  return operands.length > limit || (open && limit < Infinity)
    ? "a further operand would be written to"
    : undefined;
}
