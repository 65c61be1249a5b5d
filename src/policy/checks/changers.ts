import { isOutputFile, isOutputFolder, isTemporary } from "./outputs.ts";
import type { Place } from "./tool.ts";
import { CHECK, UNKNOWN, type Verdict, writes } from "./verdict.ts";
import { OPEN } from "./words.ts";

/** Programs that make or add to their operands. */
const MAKES = /^(?:touch|mkdir|mkdirp|tee)$/u;
/** Programs that delete, move or change their operands. */
const CHANGES = /^(?:rm|rmdir|unlink|shred|truncate|rimraf|del-cli|trash|chmod|chown|mv)$/u;
/** Programs that write what their last operand names. */
const COPIES = /^(?:cp|ln|rsync|cpx|cpy|copyfiles|ncp|install)$/u;
/** Verbs of git's that change what it would commit next, and files with it. */
const STAGES = /^(?:add|stage|rm|mv|apply|update-index)$/u;

/**
 * What a program does that is known to change things; undefined for every other.
 * @param isScript it stands in a script of the project, whose own outputs it may clear away and fill
 */
export function judgeChanger(
  name: string,
  args: readonly string[],
  { folders, files }: Place,
  isScript: boolean,
): Verdict | undefined {
  const operands = args.filter((word) => !word.startsWith("-"));
  if (name === "git" && STAGES.test(operands[0] ?? ""))
    return writes("changes files or what git would commit");
  const changed = changedBy(name, args, operands);
  if (changed === undefined || (changed.length === 0 && CHANGES.test(name))) return undefined;
  const mayWrite = (path: string): boolean => {
    if (isTemporary(path, files) || (name === "cp" && isTemporary(`${path}/x`, files))) return true;
    return (
      (isScript || MAKES.test(name)) && (isOutputFile(path, folders, files) || isOutputFolder(path, files))
    );
  };
  const other = changed.find((path) => !mayWrite(path));
  if (other === undefined) return CHECK;
  return other.includes(OPEN) ? UNKNOWN : writes(`changes ${other}`);
}

/** The paths that a program changes; undefined when it is not known to change any. */
function changedBy(
  name: string,
  args: readonly string[],
  operands: readonly string[],
): readonly string[] | undefined {
  if (MAKES.test(name) || CHANGES.test(name)) return name.startsWith("ch") ? operands.slice(1) : operands;
  if (COPIES.test(name)) return operands.slice(-1);
  const inPlace =
    /^(?:g?sed|perl|ruby)$/u.test(name) && args.some((word) => /^-(?!I)[a-zA-Z]*i|^--in-place/u.test(word));
  if (inPlace) return operands.slice(-1);
  return /^g?find$/u.test(name) && args.includes("-delete") ? operands.slice(0, 1) : undefined;
}
