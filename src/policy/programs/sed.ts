import { shown, textWithNumbers } from "../shell/arg.ts";
import { optionReader } from "./options.ts";
import type { Program } from "./program.ts";
import { sedScriptProblem } from "./sed-script.ts";

const read = optionReader({
  short: "nErsuz e:",
  long: "quiet silent expression= regexp-extended null-data zero-terminated separate unbuffered posix debug sandbox help version",
});

/** sed prints what it is told to, unless it edits in place or its script writes, runs or comes from a file. */
export const sed: Program = ({ args }) => {
  const options = read(args);
  if ("problem" in options) return options.problem;
  const expressions = [...(options.given.get("e") ?? []), ...(options.given.get("expression") ?? [])];
  const scripts = expressions.length > 0 ? expressions : options.operands.slice(0, 1);
  const texts: string[] = [];
  for (const script of scripts) {
    const text = textWithNumbers(script);
    if (text === undefined) return `the sed script ${shown(script)} is only known at run time`;
    texts.push(text);
  }
  return sedScriptProblem(texts.join("\n"));
};
