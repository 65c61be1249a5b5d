import { isBuiltFile, isOutputFile, isOutputFolder, isTemporary, type ProjectFiles } from "./outputs.ts";
import { TOOLS } from "./tool-lines/tool-lines.ts";
import { OUTPUT_OPTION, WRITING_OPTION, WRITING_VERB } from "./tools.ts";
import { CHECK, UNKNOWN, type Verdict, writes } from "./verdict.ts";

/** An option that is switched off by its value. */
const OFF = /=(?:false|no|none|off|0)$/iu;

/** One way to have a tool check, as a line of the table says. */
interface Usage {
  readonly verbs: readonly (readonly string[])[];
  readonly needed: readonly string[];
  readonly asked: readonly string[];
  readonly denied: readonly RegExp[];
  /** Of those, single letters, which may stand in a bundle. */
  readonly letters: readonly string[];
  readonly outputs: readonly string[];
  readonly valued: readonly string[];
  readonly operands: RegExp | undefined;
  readonly needsOperand: boolean;
  /** What stands behind the first operand is handed on to it. */
  readonly handsOn: boolean;
}

/** Where a command runs and what is there. */
export interface Place {
  readonly folders: readonly string[];
  readonly files: ProjectFiles;
}

function marked(tokens: readonly string[], mark: string): string[] {
  return tokens.filter((token) => token.startsWith(mark)).flatMap((token) => token.slice(1).split("|"));
}

function usageOf(tokens: readonly string[]): Usage {
  const denied = marked(tokens, "!");
  const operands = tokens.find((token) => token.startsWith("@"))?.slice(1);
  const needsOperand = operands?.startsWith("+") === true;
  return {
    verbs: tokens.filter((token) => /^\w/u.test(token)).map((token) => token.split("|")),
    needed: marked(tokens, "+"),
    asked: marked(tokens, "?"),
    denied: denied.map((text) => new RegExp(`^${text}(?:=|$)`, "u")),
    letters: denied.filter((text) => /^-\w$/u.test(text)).map((text) => text.slice(1)),
    outputs: marked(tokens, ">"),
    valued: marked(tokens, "="),
    operands: operands === undefined ? undefined : new RegExp(`^(?:${operands.replace(/^\+/u, "")})$`, "u"),
    needsOperand,
    handsOn: tokens.includes("&"),
  };
}

let table: ReadonlyMap<string, readonly Usage[]> | undefined;

function usagesOf(name: string): readonly Usage[] | undefined {
  if (table === undefined) {
    const made = new Map<string, Usage[]>();
    for (const line of TOOLS.split("\n").filter((text) => text.trim() !== "")) {
      const [names = "", ...tokens] = line.trim().split(/\s+/u);
      const usage = usageOf(tokens);
      for (const each of names.split("|")) made.set(each, [...(made.get(each) ?? []), usage]);
    }
    table = made;
  }
  return table.get(name);
}

/** True for the name of a tool that is known to check, given the right words. */
export function isCheckTool(name: string): boolean {
  return usagesOf(name) !== undefined;
}

/** What a tool of the table does with these arguments; undefined for every other program. */
export function judgeTool(name: string, args: readonly string[], place: Place): Verdict | undefined {
  const usages = usagesOf(name);
  if (usages === undefined) return undefined;
  const verdicts = usages
    .map((usage) => judgeUsage(usage, args, place))
    .filter((verdict) => verdict !== undefined);
  const told = verdicts.find(({ kind }) => kind === "check") ?? verdicts[0];
  if (told !== undefined) return told;
  const verb = args.find((word) => !word.startsWith("-") && !word.startsWith("+")) ?? "";
  if (triesFormatting(name, args, place)) return CHECK;
  const other = WRITING_VERB.test(verb) ? writes(`changes more than outputs (\`${verb}\`)`) : UNKNOWN;
  return other;
}

/** Programs whose words are tasks, each of which runs whatever follows it. */
const RUNS_TASKS =
  /^(?:sbtn?|gradlew?|mvn[wd]?|ninja|rake|rails|ant|mill|amm|lein|scons|xmake|b2|invoke|inv|doit|tox|nox|grunt|gulp|jake|wireit|mage|moon|earthly|cmake|meson|bazel|bazelisk|buck2|pants|nx|turbo|rush)$/u;

/** Whether a formatter, by its name or its verb, is only to tell what it would change. */
export function triesFormatting(name: string, args: readonly string[], { files }: Place): boolean {
  const operands = args.filter((word) => !word.startsWith("-"));
  const writesToo = (word: string): boolean =>
    WRITING_OPTION.test(word) || OUTPUT_OPTION.test(word.replace(/=.*$/su, "")) || /^-[iow]$/u.test(word);
  return (
    !RUNS_TASKS.test(name) &&
    [name, ...operands.slice(0, 2)].some((word) => /(?:fmt|format)$/u.test(word)) &&
    args.some((word) => /^--?(?:check|verify|dry-?run|diff|list-different|validate)$/u.test(word)) &&
    !args.some((word) => writesToo(word) || isTemporary(word, files))
  );
}

/**
 * Undefined when the line is about something else. What lies in a temporary folder may have been written a moment ago, by
 * the command itself, so nobody can tell what a tool that runs it would do.
 */
function judgeUsage(usage: Usage, args: readonly string[], place: Place): Verdict | undefined {
  const end = usage.handsOn ? args.findIndex((word) => !word.startsWith("-")) + 1 : args.indexOf("--");
  const own = end <= 0 ? args : args.slice(0, end);
  const operands: string[] = [];
  let problem: Verdict | undefined;
  for (let index = 0; index < own.length; index++) {
    const word = own[index] ?? "";
    const [option = "", ...attached] = word.split("=");
    if (!word.startsWith("-") || word === "-") {
      if (!word.startsWith("+") || word.length < 3) operands.push(word);
      if (usage.outputs.includes(String(operands.length)))
        problem ??= judgeOutput(`operand ${String(operands.length)}`, word, place);
      else if (isTemporary(word, place.files)) problem ??= UNKNOWN;
      continue;
    }
    const isOutput =
      usage.outputs.includes(option) || (OUTPUT_OPTION.test(option) && word !== "--output-on-failure");
    const takes = attached.length === 0 && (isOutput || usage.valued.includes(option));
    const next = takes ? own[index + 1] : undefined;
    const value = attached.length > 0 ? attached.join("=") : next;
    const full = value === undefined ? word : `${option}=${value}`;
    if (takes) index++;
    if (isOutput && value !== undefined) problem ??= judgeOutput(option, value, place);
    else if (WRITING_OPTION.test(full) || isDenied(usage, full))
      problem ??= writes(`changes files (\`${full}\`)`);
    else if (value !== undefined && isTemporary(value, place.files)) problem ??= UNKNOWN;
  }
  const handedOn = args.slice(own.length).find((word) => WRITING_OPTION.test(word));
  if (handedOn !== undefined) problem ??= writes(`changes files (\`${handedOn}\`)`);
  const isOther = usage.verbs.some((verb, index) => !isVerb(verb, operands[index] ?? ""));
  const fits = operands.every((word) => usage.operands?.test(word) ?? true);
  if (isOther || !fits || (usage.needsOperand && operands.length === 0) || !isGiven(usage.asked, args))
    return undefined;
  if (!isGiven(usage.needed, args)) problem ??= writes(`changes files without ${usage.needed[0] ?? ""}`);
  return problem ?? CHECK;
}

function isVerb(verbs: readonly string[], word: string): boolean {
  return verbs.some((verb) => (verb.endsWith("*") ? word.startsWith(verb.slice(0, -1)) : word === verb));
}

function judgeOutput(option: string, value: string, { folders, files }: Place): Verdict | undefined {
  return isOutputFile(value, folders, files) ||
    isBuiltFile(value, folders, files) ||
    isOutputFolder(value, files)
    ? undefined
    : writes(`writes ${value} (\`${option}\`)`);
}

function isDenied({ denied, letters }: Usage, word: string): boolean {
  if (denied.some((pattern) => pattern.test(word))) return true;
  return /^-[A-Za-z]{2,3}$/u.test(word) && letters.some((letter) => word.includes(letter));
}

function isGiven(needed: readonly string[], args: readonly string[]): boolean {
  if (needed.length === 0) return true;
  return args.some((word) =>
    needed.some(
      (option) =>
        word === option ||
        (word.startsWith(`${option}=`) && !OFF.test(word)) ||
        (option.length === 2 && /^-[A-Za-z]{2,4}$/u.test(word) && word.includes(option.slice(1))),
    ),
  );
}
