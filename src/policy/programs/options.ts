import { type Arg, leading, mayHideOption, shown, textOf } from "../shell/arg.ts";
import type { Call, Program } from "./program.ts";

/**
 * The options that a program may be given, as getopt writes them. Every other option is refused, and so is every
 * abbreviation, which keeps the tables short and lets a program grow options without becoming unsafe.
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

/** Options and operands told apart. */
export interface Options {
  /** Values by name without dashes; an option without a value has an empty list. */
  readonly given: ReadonlyMap<string, readonly Arg[]>;
  readonly operands: readonly Arg[];
}

interface Rules {
  readonly short: ReadonlyMap<string, string>;
  readonly long: ReadonlyMap<string, string>;
  readonly table: OptionTable;
}

function rulesOf(table: OptionTable): Rules {
  const short = new Map<string, string>();
  for (const item of table.short?.split(" ") ?? []) {
    if (/^.[:?]$/u.test(item)) short.set(item.charAt(0), item.charAt(1));
    else for (const letter of item) short.set(letter, "");
  }
  const long = new Map<string, string>();
  for (const item of table.long?.split(" ") ?? []) {
    const mark = /[=?]$/u.exec(item)?.[0] ?? "";
    long.set(mark === "" ? item : item.slice(0, -1), mark);
  }
  return { short, long, table };
}

/** Reads one argument list; holds the place so that options with values can take the next argument. */
class Reader {
  readonly given = new Map<string, Arg[]>();
  readonly operands: Arg[] = [];
  #index = 0;
  readonly #args: readonly Arg[];
  readonly #rules: Rules;

  constructor(args: readonly Arg[], rules: Rules) {
    this.#args = args;
    this.#rules = rules;
  }

  read(): string | undefined {
    for (; this.#index < this.#args.length; this.#index++) {
      const arg = this.#args[this.#index];
      if (arg === undefined) return undefined;
      const text = leading(arg);
      if (textOf(arg) === "--") return this.#rest(1);
      const option = text.startsWith("-") && textOf(arg) !== "-";
      if (!option && mayHideOption(arg))
        return `${shown(arg)} may turn into an option; put it after -- or write ./ before it`;
      if (!option && this.#rules.table.leading === true) return this.#rest(0);
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
    if (text.startsWith("--")) return this.#long(arg, text);
    const whole = textOf(arg) !== undefined;
    for (let at = 1; at < text.length; at++) {
      const letter = text.charAt(at);
      const kind =
        this.#rules.short.get(letter) ??
        (this.#rules.table.digits === true && /\d/u.test(letter) ? "" : undefined);
      if (kind === undefined) return `option -${letter} is not known to be harmless`;
      if (kind === "") this.#keep(letter);
      else
        return this.#value(
          letter,
          kind,
          whole && at === text.length - 1,
          whole ? text.slice(at + 1) : undefined,
        );
    }
    return whole ? undefined : `${shown(arg)} may hold further options`;
  }

  #long(arg: Arg, text: string): string | undefined {
    const [head = "", ...tail] = text.slice(2).split("=");
    const kind = this.#rules.long.get(head);
    const attached = text.includes("=");
    if (kind === undefined || (!attached && textOf(arg) === undefined))
      return `option ${shown(arg)} is not known to be harmless`;
    if (kind === "") {
      this.#keep(head);
      return attached ? `option --${head} takes no value` : undefined;
    }
    return this.#value(head, kind, !attached, textOf(arg) === undefined ? undefined : tail.join("="));
  }

  #keep(name: string, value?: Arg): void {
    this.given.set(name, [...(this.given.get(name) ?? []), ...(value === undefined ? [] : [value])]);
  }

  /** Takes the value of an option: attached to it, or, where it needs one and has none, the next argument. */
  #value(name: string, kind: string, bare: boolean, attached: string | undefined): string | undefined {
    if (!bare || kind === "?") {
      const current = this.#args[this.#index];
      const unknownText =
        current !== undefined && attached === undefined
          ? { pieces: current.pieces, many: current.many }
          : undefined;
      this.#keep(
        name,
        unknownText ?? { pieces: attached === undefined || attached === "" ? [] : [attached], many: false },
      );
      return unknownText?.many === true ? `${shown(unknownText)} may turn into several arguments` : undefined;
    }
    const next = this.#args[++this.#index];
    if (next === undefined) return undefined;
    this.#keep(name, next);
    return next.many ? `${shown(next)} may turn into several arguments` : undefined;
  }
}

/** Why these arguments are not all harmless, or the options and operands they hold. */
export type Reading = { readonly problem: string } | Options;

/** Makes a reader of argument lists from a table; the table is taken apart once. */
export function optionReader(table: OptionTable): (args: readonly Arg[]) => Reading {
  const rules = rulesOf(table);
  return (args) => {
    const state = new Reader(args, rules);
    const problem = state.read();
    return problem === undefined ? { given: state.given, operands: state.operands } : { problem };
  };
}

/**
 * A program that may be given the options of a table and nothing else.
 * @param check looks at what was given; says why it is not read-only
 */
export function withOptions(
  table: OptionTable,
  check?: (options: Options, call: Call) => string | undefined,
): Program {
  const read = optionReader(table);
  return (call) => {
    const options = read(call.args);
    return "problem" in options ? options.problem : check?.(options, call);
  };
}

/** Refuses more than `limit` operands, or operands that may turn out to be more. */
export function atMost(limit: number, operands: readonly Arg[]): string | undefined {
  const open = operands.some((arg) => arg.many);
  return operands.length > limit || (open && limit < Infinity)
    ? "a further operand would be written to"
    : undefined;
}
