import { type Arg, leading, textOf } from "../shell/arg.ts";
import type { VerbEffect } from "./git-history.ts";

const GLOBALS_WITH_VALUE =
  /^(?:-R|--(?:repository|at-op|at-operation|color|config|config-file|config-toml))$/u;
/** Verbs by which what stands in the working copy becomes a change of its own, or is put into one. */
const MOVING =
  /^(?:undo|redo|op|operation|edit|next|prev|workspace|restore|abandon|file|sparse|util|resolve|config|root|init|help|version|log|st|status|diff|show|evolog|obslog|interdiff)$/u;
const GIT = /^(?:fetch|import|export|clone|init|remote|root|colocation)$/u;
const MARKING = /^(?:list|l|track|t|untrack|forget|f)$/u;
/** Options that let it change what is meant to stay, or send what is meant to be kept. */
const UNGUARDED = /^--(?:ignore-imm|allow-pri)/u;

/** The words of a jj command line without its global options. */
function wordsOf(args: readonly Arg[]): string[] | undefined {
  const words: string[] = [];
  for (let at = 0; at < args.length && words.length < 2; at++) {
    const text = textOf(args[at]);
    if (text === undefined && words.length === 0) return undefined;
    if (GLOBALS_WITH_VALUE.test(text ?? "")) at += 1;
    else if (!leading(args[at] ?? { pieces: [], many: false }).startsWith("-")) words.push(text ?? "");
  }
  return words;
}

/** What a jj command does to the history. One that jj does not have may be an alias of any. */
export function effectOfJj(args: readonly Arg[]): VerbEffect & { readonly unguarded?: string } {
  const option = args.map((arg) => leading(arg)).find((text) => UNGUARDED.test(text));
  const unguarded = option === undefined ? {} : { unguarded: option };
  const words = wordsOf(args);
  if (words === undefined) return { kind: "records", as: "unclear", ...unguarded };
  const [verb = "", next = ""] = words;
  // What it runs says by itself what it does.
  if (verb === "util" && next === "exec") return { kind: "none", ...unguarded };
  if (verb === "git")
    return GIT.test(next)
      ? { kind: "moves", keeps: false, fetches: true }
      : { kind: "records", as: next === "push" ? "push" : "unclear", ...unguarded };
  if (/^(?:bookmark|b|branch|tag)$/u.test(verb))
    return MARKING.test(next) ? { kind: "moves", keeps: true } : { kind: "records", as: "tag", ...unguarded };
  if (verb === "" || MOVING.test(verb)) return { kind: "moves", keeps: false };
  return { kind: "records", as: "commit", ...unguarded };
}
