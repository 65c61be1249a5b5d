import { type Arg, leading, literal, textOf } from "../shell/arg.ts";
import type { Walk } from "../shell/walk-state.ts";
import type { Call } from "./program.ts";

/** An address, a text with blanks or the subject of a certificate, which is no path. */
const NO_PATH = /^\w{2,}:\/\/|\s|^$|^\/[A-Za-z]+=/u;
/** Programs that name what they build by a label: `//folder:name`, `//folder/...`. */
const LABELLING = /^(?:bazel|bazelisk|buck2?|pants|please|plz)$/u;
const LABEL = /^(?:@[\w.~-]*)?\/\/(?:[\w.-]+(?:\/[\w.-]+)*)?(?::[\w./-]*)?$/u;
/** Options whose values are names: `--tag ~slow`. */
const NAMING = /^--tags?$/u;
const BEGINS_OUTSIDE = /^\/|^(?:[\w.-]+\/)*\.\.(?:\/|$)/u;
/** Arguments that are looked at. */
const MAX_ARGUMENTS = 64;

/** Whether an argument names something to build, and no path. */
export function isLabel(program: string, text: string): boolean {
  return LABELLING.test(program) && LABEL.test(text.replace(/^-/u, ""));
}

/** Whether an argument, or the value of an option, is the path of a file outside of the project, links followed. */
export function namesPathOutside({ name, args, walk }: Pick<Call, "name" | "args" | "walk">): boolean {
  return args.slice(0, MAX_ARGUMENTS).some((arg, index) => {
    const text = textOf(arg);
    if (NAMING.test(textOf(args[index - 1]) ?? "")) return false;
    if (text === undefined) return leadsOutside(arg, walk);
    if (isLabel(name, text)) return false;
    const value = text.replace(/^-[\w-]*=|^-[A-Za-z](?=[/~.\w])/u, "");
    return [text, value]
      .filter((part) => !NO_PATH.test(part) && !part.startsWith("-"))
      .some((part) => walk.placeOf(literal(part), walk.scope.folders) === "outside");
  });
}

/** Whether a path that only the shell will know in full begins outside of the project. */
export function leadsOutside(arg: Arg, { placeOf, scope }: Pick<Walk, "placeOf" | "scope">): boolean {
  return BEGINS_OUTSIDE.test(leading(arg)) && placeOf(arg, scope.folders) === "outside";
}

/** Whether an argument has a server listen for other machines as well. */
export function namesAllAddresses({ args }: Pick<Call, "args">): boolean {
  return args.slice(0, MAX_ARGUMENTS).some((arg, index) => {
    const text = textOf(arg) ?? "";
    // Without an address, that is all of them.
    if (text === "--host") return /^(?:-.*)?$/su.test(textOf(args[index + 1]) ?? "");
    return /^(?:--?[\w-]+=)?(?:0\.0\.0\.0|\[::\])(?::\d+)?$/u.test(text);
  });
}
