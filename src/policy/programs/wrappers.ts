import { type Arg, leading, literal, mergePieces, type Piece, shown, textOf, unknown } from "../shell/arg.ts";
import { sampled } from "../shell/value.ts";
import { isHarmlessExport } from "../shell/variable-names.ts";
import { spend, type Stdin } from "../shell/walk-state.ts";
import { samplesOfArgs } from "../shell/word.ts";
import { type OptionTable, optionReader } from "./options.ts";
import type { Program } from "./program.ts";

/** A program that runs the command in its operands, after `skip` operands of its own. */
export function runs(table: OptionTable, skip = 0): Program {
  const read = optionReader({ ...table, leading: true });
  return ({ args, stdin, follow, name }) => {
    const options = read(args);
    if ("problem" in options) {
      followTail(args, follow.command);
      return options.problem;
    }
    const command = options.operands.slice(skip);
    if (options.operands.length < skip) return `${name} lacks an operand`;
    if (command.length > 0) follow.command(command, stdin);
    return undefined;
  };
}

/** Where the options are not understood, whatever looks like the command is still looked at. */
function followTail(args: readonly Arg[], command: (argv: readonly Arg[]) => void): void {
  const start = args.findIndex((arg) => /^[\w./]/u.test(leading(arg)) && !leading(arg).includes("="));
  if (start !== -1) command(args.slice(start));
}

const ENV = optionReader({
  short: "i0v u: C:",
  long: "ignore-environment null debug unset= chdir=",
  leading: true,
});

const env: Program = ({ args, stdin, follow, walk: { scope } }) => {
  const split = args.findIndex((arg) => /^(?:-\w*S|--s)/u.test(leading(arg)));
  if (split !== -1) {
    follow.script(
      args
        .slice(split)
        .map((arg) => shown(arg).replace(/^(?:-\w*S|--s[a-z-]*=?)/u, ""))
        .join(" "),
      "posix",
    );
    return "env splits a text into a command";
  }
  const options = ENV(args);
  if ("problem" in options) {
    followTail(args, follow.command);
    return options.problem;
  }
  const rest = textOf(options.operands[0]) === "-" ? options.operands.slice(1) : options.operands;
  const end = rest.findIndex((arg) => !/^\w+=/u.test(leading(arg)));
  const settings = end === -1 ? rest : rest.slice(0, end);
  const folder = options.given.get("C")?.[0] ?? options.given.get("chdir")?.[0];
  scope.during(() => {
    const path = textOf(folder);
    if (path !== undefined) scope.enterBelow(path);
    else if (folder !== undefined) scope.goBack();
    for (const setting of settings) {
      const name = /^(\w+)=/u.exec(leading(setting))?.[1];
      if (name !== undefined)
        scope.assign(name, sampled(samplesOfArgs([setting]).map((text) => text.slice(name.length + 1))));
    }
    if (end !== -1) follow.command(rest.slice(end), stdin);
  });
  for (const setting of settings) {
    const [name = "", ...value] = textOf(setting)?.split("=") ?? [];
    if (!isHarmlessExport(name, value.join("=")))
      return `runs a program with ${shown(setting)} set, which may change what it does`;
  }
  return undefined;
};

const XARGS = optionReader({
  short: "0rtpxo a: d: E: e? I: i? L: l? n: P: s: J: R:",
  long: "null no-run-if-empty verbose max-args= max-procs= max-lines? max-chars= delimiter= replace? arg-file= eof? exit help version",
  leading: true,
});

/** Items of known input that are looked at one by one. */
const MAX_ITEMS = 20;

/** What xargs puts in the place of its replacement string: an item that is known, or anything. */
function replaced(arg: Arg, mark: string, item?: string): Arg {
  const hole: Piece = item ?? { kind: "any", text: mark, split: false };
  const pieces = arg.pieces.flatMap((piece): Piece[] =>
    typeof piece === "string"
      ? piece.split(mark).flatMap((part, index) => (index === 0 ? [part] : [hole, part]))
      : [piece],
  );
  return { pieces: mergePieces(pieces), many: arg.many };
}

/** Options after which xargs takes its input apart in another way, takes it from elsewhere, or runs several commands. */
const SPLITTING = [
  "0",
  "null",
  "a",
  "arg-file",
  "d",
  "delimiter",
  "E",
  "e",
  "eof",
  "n",
  "max-args",
  "L",
  "l",
];
const FURTHER_SPLITTING = ["max-lines", "s", "max-chars"];

/**
 * The arguments that xargs may append, each list one way: the words it is known to read where those are all of them and
 * go into one command; else each of them by itself, all of them, and anything.
 */
function appended(stdin: Stdin | undefined, plainly: boolean, separator: RegExp): Arg[][] {
  const items = itemsOf(stdin, separator).map((word) => literal(word));
  const all = stdin?.complete === true && items.length < MAX_ITEMS && !/["'\\]/u.test(stdin.text);
  if (plainly && all) return [items];
  const anything = unknown("what xargs reads", true);
  return [[anything], ...items.map((item) => [item, anything]), [...items, anything]];
}

function itemsOf(stdin: Stdin | undefined, separator: RegExp): string[] {
  const words = (stdin?.text ?? "").split(separator).filter((word) => word !== "");
  return words.slice(0, MAX_ITEMS);
}

/** What stands between two items. */
function separatorOf(given: ReadonlyMap<string, readonly Arg[]>): RegExp {
  const mark = textOf(given.get("d")?.[0] ?? given.get("delimiter")?.[0]);
  if (mark !== undefined && /^[^\s\w\\]$/u.test(mark)) return new RegExp(`[\\s\\${mark}]+`);
  return given.has("0") || given.has("null") ? /[\0\s]+/ : /\s+/;
}

const xargs: Program = (call) => {
  const options = XARGS(call.args);
  if ("problem" in options) {
    followTail(call.args, call.follow.command);
    return options.problem;
  }
  const { given, operands } = options;
  if (operands.length === 0) return undefined;
  const value =
    given.get("I")?.[0] ?? given.get("J")?.[0] ?? given.get("i")?.[0] ?? given.get("replace")?.[0];
  const separator = separatorOf(given);
  if (value === undefined) {
    const plainly = ![...SPLITTING, ...FURTHER_SPLITTING].some((option) => given.has(option));
    for (const items of appended(call.stdin(), plainly, separator))
      call.follow.command([...operands, ...items]);
    return undefined;
  }
  const text = textOf(value);
  const mark = text === undefined || text === "" ? "{}" : text;
  for (const item of [undefined, ...itemsOf(call.stdin(), separator)])
    call.follow.command(
      spend(call.walk, operands.length) ? operands.map((arg) => replaced(arg, mark, item)) : operands,
    );
  return text === undefined ? "what xargs replaces is only known at run time" : undefined;
};

const command: Program = (call) => {
  const [first, ...rest] = call.args;
  if (/^-[vV]$/u.test(textOf(first) ?? "")) return undefined;
  const operands = textOf(first) === "-p" || textOf(first) === "--" ? rest : call.args;
  if (operands.length > 0) call.follow.command(operands, call.stdin);
  return undefined;
};

const watchOptions = optionReader({
  short: "dtgexcbp n: q:",
  long: "differences no-title interval= color precise",
  leading: true,
});

/** watch hands its words to a shell, joined by blanks. */
const watch: Program = ({ args, follow }) => {
  const options = watchOptions(args);
  if ("problem" in options) {
    followTail(args, follow.command);
    return options.problem;
  }
  const texts = options.operands.map((arg) => textOf(arg));
  if (texts.includes(undefined)) {
    follow.command(options.operands);
    return "watch runs a text that is only known at run time";
  }
  follow.script(texts.join(" "), "posix");
  return undefined;
};

/** Its first operand is the duration. */
const timeout = runs(
  { short: "vpf s: k:", long: "signal= kill-after= preserve-status foreground verbose" },
  1,
);

/** Programs that run another one, which is then classified as if it stood there alone. */
export const wrappers: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["env", env],
  ["xargs", xargs],
  ["command", command],
  ["builtin", command],
  ["exec", runs({ short: "cl" })],
  ["watch", watch],
  ["time", runs({ short: "pvlh", long: "portability verbose" })],
  ["nohup", runs({})],
  ["noglob", runs({})],
  ["nice", runs({ short: "n:", long: "adjustment=", digits: true })],
  ["ionice", runs({ short: "t c: n:" })],
  ["stdbuf", runs({ short: "i: o: e:", long: "input= output= error=" })],
  ["timeout", timeout],
  ["gtimeout", timeout],
]);
