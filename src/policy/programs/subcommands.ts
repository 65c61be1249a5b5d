import { leading, textOf } from "../shell/arg.ts";
import { hiddenOption, type Program } from "./program.ts";

/** A program with verbs of which some only ask. */
export interface VerbTable {
  /** Verbs that only ask, each with the verbs before it: `config view`. */
  readonly verbs: readonly string[];
  /** The first two words of further verbs that only ask. */
  readonly patterns?: RegExp;
  /** Options that may stand before the verb and take the next argument. */
  readonly globals?: RegExp;
  /** Options that may stand before the verb and take nothing. */
  readonly flags?: RegExp;
  /** Arguments that make even a query do more. */
  readonly refused?: RegExp;
  /** Without a verb it only asks. */
  readonly bare?: boolean;
}

const MAX_VERB_WORDS = 3;

/** The verb of a command line, up to the first option behind it; undefined when an unknown option stands before it. */
function verbOf(words: readonly string[], { globals, flags }: VerbTable): string[] | undefined {
  const verb: string[] = [];
  for (let index = 0; index < words.length && verb.length < MAX_VERB_WORDS; index++) {
    const word = words[index] ?? "";
    const attached = globals?.test(word.split("=", 1)[0] ?? "") === true && word.includes("=");
    if (globals?.test(word) === true) index++;
    else if (attached || flags?.test(word) === true) continue;
    else if (!word.startsWith("-")) verb.push(word);
    else return verb.length > 0 ? verb : undefined;
  }
  return verb;
}

/** A program whose verbs are known from a table; a verb that is not in it is refused. */
export function withVerbs(table: VerbTable): Program {
  const { verbs, patterns, refused, bare } = table;
  const known = new Set(verbs);
  return ({ name, args }) => {
    const hidden = hiddenOption(args);
    if (hidden !== undefined) return hidden;
    const words = args.map((arg) => textOf(arg) ?? leading(arg));
    const bad = words.find((word) => refused?.test(word) === true);
    if (bad !== undefined) return `${name} ${bad} is not known to be harmless`;
    const verb = verbOf(words, table);
    if (verb === undefined || verb.length === 0)
      return bare === true && verb !== undefined ? undefined : `${name} does more than ask here`;
    const asks =
      patterns?.test(verb.slice(0, 2).join(" ")) === true ||
      verb.some((_, index) => known.has(verb.slice(0, index + 1).join(" ")));
    return asks ? undefined : `${name} ${verb.slice(0, 2).join(" ")} is not known to be read-only`;
  };
}

const VERSION = /^--(?:version|help)$/u;

/**
 * A program that may always be asked for its version, whatever else it can do.
 * @param also matches what else, as its only argument, makes it print and end
 */
export function orVersion(program: Program, also?: RegExp): Program {
  return (call) => {
    const text = call.args.length === 1 ? textOf(call.args[0]) : undefined;
    const asked = text !== undefined && (VERSION.test(text) || also?.test(text) === true);
    return asked ? undefined : program(call);
  };
}
