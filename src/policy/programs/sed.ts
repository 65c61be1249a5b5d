import { shown, textWithNumbers } from "../shell/arg.ts";
import { effectOfWriting } from "../shell/walk-state.ts";
import { worst } from "./effects.ts";
import { type Options, optionReader } from "./options.ts";
import { found, type Program } from "./program.ts";
import { sedScriptProblem } from "./sed-script.ts";

const read = optionReader({
  short: "nErsuz e:",
  long: "quiet silent expression= regexp-extended null-data zero-terminated separate unbuffered posix debug sandbox help version",
});

const edit = optionReader({
  short: "nErsuz e: i?",
  long: "quiet silent expression= regexp-extended null-data zero-terminated separate unbuffered posix debug in-place?",
});

/**
 * sed prints what it is told to, unless it edits in place, which changes its files, or its script writes, runs or comes from
 * a file.
 */
export const sed: Program = (call) => {
  const options = read(call.args);
  if (!("problem" in options)) return scriptProblem(options);
  const editing = edit(call.args);
  if ("problem" in editing || scriptProblem(editing) !== undefined) return options.problem;
  // BSD's takes the suffix as an argument of its own.
  const files = hasScript(editing) ? editing.operands : editing.operands.slice(1);
  return found(worst(["project", ...files.map((file) => effectOfWriting(file, call.walk))]), call);
};

function hasScript({ given }: Options): boolean {
  return given.has("e") || given.has("expression");
}

function scriptProblem(options: Options): string | undefined {
  const expressions = [...(options.given.get("e") ?? []), ...(options.given.get("expression") ?? [])];
  const scripts = expressions.length > 0 ? expressions : options.operands.slice(0, 1);
  const texts: string[] = [];
  for (const script of scripts) {
    const text = textWithNumbers(script);
    if (text === undefined) return `the sed script ${shown(script)} is only known at run time`;
    texts.push(text);
  }
  return sedScriptProblem(texts.join("\n"));
}
