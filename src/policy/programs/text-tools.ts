import { leading, shown, textOf } from "../shell/arg.ts";
import { hiddenOption, type Program } from "./program.ts";

/** `%n` assigns a variable; everything after the format is text to print. */
export const printf: Program = ({ args }) => {
  const [first, second] = args;
  const format = textOf(first) === "--" ? second : first;
  if (format === undefined) return undefined;
  if (args.some((arg) => /\[[^[\]]*(?:\$\(|`)/u.test(textOf(arg) ?? "")))
    return "printf may evaluate a subscript here";
  const assigns = hiddenOption([format]) !== undefined || /^-[^-]|%[-+ #0\d.*'l]*n/u.test(shown(format));
  return assigns ? "printf may assign a variable here" : undefined;
};

/** `-C` compiles a file of its own; what a pattern stands for is not taken for that. */
export const file: Program = ({ args }) => {
  const compiles = args.some((arg) => /^-(?:\w*C|-co)/u.test(leading(arg)));
  const hidden = args.some(
    (arg) =>
      hiddenOption([arg]) !== undefined &&
      arg.pieces.some((piece) => typeof piece !== "string" && piece.kind !== "glob"),
  );
  return compiles || hidden ? "file may write a compiled magic file" : undefined;
};
