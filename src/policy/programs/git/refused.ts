import { type Arg, leading, shown, textOf } from "../../shell/arg.ts";
import { abbreviates, type ArgsRule, hiddenOption } from "../program.ts";

/** Long options with which a git query writes a file or runs a program; git takes any abbreviation of them. */
const REFUSED = [
  "--output",
  "--output-directory",
  "--ext-diff",
  "--textconv",
  "--filters",
  "--open-files-in-pager",
  "--show-signature",
  "--upload-pack",
  "--exec",
  "--help",
  "--lost-found",
  "--rewrite",
  "--updateref",
];
/** Options in their own right that look like an abbreviation of one above. */
const HARMLESS = /^--(?:text|filter)(?:=|$)/u;

/** True for a format that makes git check signatures, which it does with another program. */
export function checksSignature(arg: Arg): boolean {
  return /%\(signature|%[-+ ]?G/u.test(shown(arg));
}

/** A query that may be given any option but those that write, run a program or check signatures with one. */
export const query: ArgsRule = (args) => {
  const hidden = hiddenOption(args);
  if (hidden !== undefined) return hidden;
  const end = args.findIndex((arg) => textOf(arg) === "--");
  for (const arg of end === -1 ? args : args.slice(0, end)) {
    const text = leading(arg);
    const refused = abbreviates(text, REFUSED) && !HARMLESS.test(text);
    if (refused) return `git ${shown(arg)} may write a file or run a program`;
    if (checksSignature(arg)) return "git would check signatures with another program";
  }
  return undefined;
};
