import { type Arg, leading, literal, shown, textOf } from "../shell/arg.ts";
import { effectOfWriting } from "../shell/walk-state.ts";
import { worst } from "./effects.ts";
import { type OptionTable, optionReader } from "./options.ts";
import { type Call, found, type Problem, type Program } from "./program.ts";
import { runs } from "./wrappers.ts";

/** A program that runs another one beside what it changes itself, such as its session or its display. */
function changing(program: Program): Program {
  return (call) => program(call) ?? found("project", call);
}

/** Tools that go by their own names; which options theirs know is the box's own affair. */
const box: Program = ({ args, stdin, follow, name }) => {
  if (/^\w/u.test(leading(args[0] ?? literal("")))) follow.command(args, stdin);
  return `${name} has tools of its own`;
};

/** A program that makes a file, its first operand, and runs the words behind that or a text. */
function withFile(table: OptionTable, otherwise: string): Program {
  const read = optionReader(table);
  return (call) => {
    const options = read(call.args);
    if ("problem" in options) return options.problem;
    const [file = literal(otherwise), ...command] = options.operands;
    const isText = textOf(command[0]) === "-c";
    const text =
      options.given.get("c")?.[0] ?? options.given.get("command")?.[0] ?? (isText ? command[1] : undefined);
    if (text !== undefined) call.follow.script(shown(text), "posix");
    else if (command.length > 0) call.follow.command(command, call.stdin);
    else return `${call.name} is given no command`;
    call.walk.visitor.onOutput?.(file, call.walk);
    return found(worst(["project", effectOfWriting(file, call.walk)]), call);
  };
}

/** What stands behind the first of these options. */
function behind(args: readonly Arg[], option: RegExp): { before: readonly Arg[]; after: readonly Arg[] } {
  const at = args.findIndex((arg) => option.test(textOf(arg) ?? ""));
  return at === -1 ? { before: args, after: [] } : { before: args.slice(0, at), after: args.slice(at + 1) };
}

const PLAIN = /^(?:--impure|--offline|--pure|-L|-i|--ignore-env\w*)$/u;
/** A flake of the project's own. */
const FLAKE = /^\.(?:\/[\w.-]+)*(?:#[\w.-]+)?$|^#[\w.-]+$/u;

/** Whether nix is given nothing but what the project describes: packages that are named are fetched. */
function isDescribed(args: readonly Arg[]): boolean {
  const texts = args.map((arg) => textOf(arg) ?? "-").filter((text) => !PLAIN.test(text));
  return texts.length === 0 || (texts.length === 1 && FLAKE.test(texts[0] ?? ""));
}

/** nix runs a command in the environment that the project describes. */
export function nixWith(own: Program): Program {
  return (call) => {
    const [verb, ...rest] = call.args;
    const { before, after } = behind(rest, /^(?:-c|--command)$/u);
    if (!/^(?:develop|shell)$/u.test(textOf(verb) ?? "") || after.length === 0) return own(call);
    call.follow.command(after, call.stdin);
    return isDescribed(before) ? found("project", call) : own(call);
  };
}

/** jj runs what its own aliases are made of. */
export function jjWith(own: Program): Program {
  return (call) => {
    const { after } = behind(call.args, /^exec$/u);
    const command = textOf(after[0]) === "--" ? after.slice(1) : after;
    if (command.length > 0 && call.args.some((arg) => textOf(arg) === "util"))
      call.follow.command(command, call.stdin);
    return own(call);
  };
}

const nixShell: Program = (call) => {
  const { before, after } = behind(call.args, /^(?:--run|--command)$/u);
  const [text, ...more] = after;
  if (text === undefined) return "nix-shell starts a shell";
  call.follow.script(shown(text), "bash");
  return described(call, [...before, ...more]);
};

function described(call: Call, args: readonly Arg[]): Problem {
  return isDescribed(args) ? found("project", call) : `${call.name} fetches what it runs`;
}

/** direnv loads what the project describes, once the user has allowed it. */
const direnv: Program = (call) => {
  const [verb, folder, ...command] = call.args;
  if (textOf(verb) !== "exec" || command.length === 0) return "direnv does something else";
  call.follow.command(command, call.stdin);
  return textOf(folder) === "." ? found("project", call) : "direnv runs it elsewhere";
};

/** A shell that becomes it leads its group, and then nobody waits for the command. */
const setsid: Program = (call) =>
  runs({ short: "cfw", long: "ctty fork wait" })(call) ?? "setsid may leave its command running";

/** Programs that run another one in other surroundings, which is then judged as if it stood there alone. */
export const surroundings: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["busybox", box],
  ["toybox", box],
  ["setsid", setsid],
  ["unbuffer", changing(runs({ short: "p" }))],
  ["caffeinate", changing(runs({ short: "disum t: w:" }))],
  ["taskset", changing(runs({ short: "ac", long: "all-tasks cpu-list" }, 1))],
  [
    "xvfb-run",
    changing(
      runs({ short: "al n: s: e: f: w: p:", long: "auto-servernum server-num= server-args= error-file=" }),
    ),
  ],
  [
    "flock",
    withFile(
      {
        short: "senuxoF w: E: c:",
        long: "shared exclusive unlock nonblock close no-fork timeout= wait= conflict-exit-code= command=",
        leading: true,
      },
      ".",
    ),
  ],
  [
    "script",
    withFile({ short: "aefqr c: E:", long: "append return flush quiet force command= echo=" }, "typescript"),
  ],
  ["direnv", direnv],
  ["nix-shell", nixShell],
]);
