import { type Arg, leading, literal, mergePieces, shown, textOf, unknown } from "../shell/arg.ts";
import { isHarmlessExport } from "../shell/variable-names.ts";
import type { Stdin } from "../shell/walk-state.ts";
import { type OptionTable, optionReader } from "./options.ts";
import type { Program } from "./program.ts";

/** A program that runs the command in its operands, after `skip` operands of its own. */
function runs(table: OptionTable, skip = 0): Program {
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

const env: Program = ({ args, stdin, follow }) => {
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
  if (end !== -1) follow.command(rest.slice(end), stdin);
  for (const setting of settings) {
    const [name = "", ...value] = (textOf(setting) ?? "").split("=");
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
  const text = textOf(arg);
  if (mark === "" || text?.includes(mark) !== true) return arg;
  const hole = item ?? { kind: "any" as const, text: mark, split: false };
  const pieces = text.split(mark).flatMap((piece, index) => (index === 0 ? [piece] : [hole, piece]));
  return { pieces: mergePieces(pieces), many: false };
}

/** Options after which xargs takes its input apart in another way, or from elsewhere. */
const SPLITTING = ["0", "null", "a", "arg-file", "d", "delimiter", "E", "e", "eof"];

/** What xargs appends: the words it is known to read, and unless those are all of them, anything. */
function appended(stdin: Stdin | undefined, plainly: boolean): Arg[] {
  const words = itemsOf(stdin);
  const all = plainly && stdin?.complete === true && words.length < MAX_ITEMS && !/["'\\]/u.test(stdin.text);
  const items = words.map((word) => literal(word));
  return all ? items : [...items, unknown("what xargs reads", true)];
}

function itemsOf(stdin: Stdin | undefined): string[] {
  const words = (stdin?.text ?? "").split(/\s+/u).filter((word) => word !== "");
  return words.slice(0, MAX_ITEMS);
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
  const mark = value === undefined ? undefined : (textOf(value) ?? "") || "{}";
  const plainly = !SPLITTING.some((option) => given.has(option));
  if (mark === undefined) call.follow.command([...operands, ...appended(call.stdin(), plainly)]);
  else {
    for (const item of [undefined, ...itemsOf(call.stdin())]) {
      call.follow.command(operands.map((arg) => replaced(arg, mark, item)));
    }
  }
  return undefined;
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
