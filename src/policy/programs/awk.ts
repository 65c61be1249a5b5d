import { shown, textWithNumbers } from "../shell/arg.ts";
import { awkScriptProblem } from "./awk-script.ts";
import { withOptions } from "./options.ts";

/** awk prints what its program says, unless that opens, pipes, loads or runs something. */
export const awk = withOptions(
  { short: "F: v: V", long: "field-separator= assign= posix re-interval version", leading: true },
  ({ given, operands }, { follow }) => {
    const program = operands[0];
    if (program === undefined) return given.size > 0 ? undefined : "awk has no program";
    const text = textWithNumbers(program);
    return text === undefined
      ? `the awk program ${shown(program)} is only known at run time`
      : awkScriptProblem(text, (command) => follow.script(command, "posix"));
  },
);
