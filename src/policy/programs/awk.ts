import { shown, textWithNumbers } from "../shell/arg.ts";
import { awkScriptProblem } from "./awk-script.ts";
import { optionReader } from "./options.ts";
import type { Program } from "./program.ts";

const read = optionReader({
  short: "F: v: V",
  long: "field-separator= assign= posix re-interval version",
  leading: true,
});

/** awk prints what its program says, unless that opens, pipes, loads or runs something. */
export const awk: Program = ({ args, follow }) => {
  const options = read(args);
  if ("problem" in options) return options.problem;
  const [program] = options.operands;
  if (program === undefined) return options.given.size > 0 ? undefined : "awk has no program";
  const text = textWithNumbers(program);
  return text === undefined
    ? `the awk program ${shown(program)} is only known at run time`
    : awkScriptProblem(text, (command) => follow.script(command, "posix"));
};
