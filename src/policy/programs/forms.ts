import { textOf } from "../shell/arg.ts";
import type { Program } from "./program.ts";

/** Accepts an argument list only when every argument is known and matches; operands and options alike. */
export function onlyMatching(pattern: RegExp, problem: string, limit = Infinity): Program {
  return ({ args }) =>
    args.length <= limit && args.every((arg) => pattern.test(textOf(arg) ?? "\0")) ? undefined : problem;
}

/** Accepts an argument list whose arguments are known, hold no blanks, and match when joined by one. */
export function inForms(pattern: RegExp): Program {
  return ({ name, args }) => {
    const words = args.map((arg) => textOf(arg) ?? "");
    const asks = words.every((word) => /^\S+$/u.test(word)) && pattern.test(words.join(" "));
    return asks ? undefined : `${name} is not known to be read-only with these arguments`;
  };
}
