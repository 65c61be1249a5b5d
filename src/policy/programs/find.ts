import { isMadeAnew } from "../made-anew.ts";
import {
  type Arg,
  leading,
  literal,
  mayHideOption,
  mergePieces,
  type Piece,
  shown,
  textOf,
  unknown,
} from "../shell/arg.ts";
import { effectOfWriting, type Walk } from "../shell/walk-state.ts";
import { worst } from "./effects.ts";
import { type Call, found, type Problem, type Program } from "./program.ts";

const PLAIN_TESTS =
  /^(?:[!(),]|-(?:a|o|and|or|not|true|false|depth|d|mount|xdev|daystart|noleaf|warn|nowarn|ignore_readdir_race|noignore_readdir_race|follow|print0?|ls|prune|quit|empty|executable|readable|writable|nouser|nogroup|help|version|-version|-help))$/u;
const TESTS_WITH_VALUE =
  /^-(?:name|iname|path|ipath|wholename|iwholename|regex|iregex|regextype|lname|ilname|type|xtype|size|perm|user|group|uid|gid|inum|links|samefile|fstype|(?:a|c|m|B)(?:time|min)|anewer|cnewer|newer[aBcmtX]{0,2}|used|maxdepth|mindepth|printf|context)$/u;
const RUNNING = /^-exec(?:dir)?$/u;

/** Where the command of an `-exec` ends: at `;` or at `{} +`. */
function endOfCommand(args: readonly Arg[], from: number): number {
  for (let index = from; index < args.length; index++) {
    const text = textOf(args[index]);
    if (text === ";" || (text === "+" && textOf(args[index - 1]) === "{}")) return index;
  }
  return -1;
}

/** What find puts in the place of `{}`: a path that begins as the start points do. */
function filledIn(folders: readonly Arg[], name: string, { placeOf, scope }: Walk): readonly Piece[] {
  const sure = name === "-execdir" || folders.every((folder) => /^[^-]/u.test(leading(folder)));
  const elsewhere = (["outside", "temporary"] as const)
    .map((place) => folders.find((folder) => placeOf(folder, scope.folders) === place))
    .find((folder) => folder !== undefined);
  if (name === "-execdir" || !sure || elsewhere === undefined)
    return [{ kind: sure ? "operand" : "any", text: "{}", split: false }];
  return [...elsewhere.pieces, "/", { kind: "name", text: "{}", split: false }];
}

function withPath(arg: Arg, path: readonly Piece[]): Arg {
  const text = textOf(arg);
  if (text === undefined || !text.includes("{}")) return arg;
  const pieces = text.split("{}").flatMap((piece, index) => (index === 0 ? [piece] : [...path, piece]));
  return { pieces: mergePieces(pieces), many: text === "{}" };
}

/** True when the shell may turn this value into something that find reads as a test or action of its own. */
function mayBecomeTest({ pieces, many }: Arg): boolean {
  const pattern = pieces.every((piece) => typeof piece === "string" || piece.kind === "glob");
  const [first] = pieces;
  const plain =
    typeof first === "string"
      ? !first.startsWith("-")
      : pieces.some((piece) => typeof piece === "string" && piece.includes("."));
  return many && !(pattern && plain);
}

function startPoints(args: readonly Arg[]): number {
  const first = args.findIndex((arg) => mayHideOption(arg) || /^[-!(),]/u.test(leading(arg)));
  return first === -1 ? args.length : first;
}

function expression(args: readonly Arg[], folders: readonly Arg[], call: Call): Problem | undefined {
  const { follow, walk } = call;
  for (let index = 0; index < args.length; index++) {
    const arg = args[index] ?? literal("");
    const text = textOf(arg);
    if (text !== undefined && PLAIN_TESTS.test(text)) continue;
    if (text !== undefined && TESTS_WITH_VALUE.test(text)) {
      const value = args[++index];
      if (value !== undefined && mayBecomeTest(value))
        return `${shown(value)} may turn into further arguments; quote it`;
      continue;
    }
    if (text === "-delete")
      return found(
        worst([
          findsMadeAnew(args) ? "project" : "lossy",
          ...folders.map((each) => effectOfWriting(each, call.walk)),
        ]),
        call,
      );
    if (text === undefined || !RUNNING.test(text)) return `find ${shown(arg)} is not known to be harmless`;
    const end = endOfCommand(args, index + 1);
    if (end === -1) return `find ${text} has no end`;
    const command = args.slice(index + 1, end);
    const path = filledIn(folders, text, walk);
    walk.scope.during(() => {
      // It runs where it finds something.
      const outside = folders.find((each) => walk.placeOf(each, walk.scope.folders) === "outside");
      if (text === "-execdir" && outside !== undefined) walk.scope.enterBelow(textOf(outside) ?? "/");
      follow.command(command.map((part) => withPath(part, path)));
    });
    index = end;
  }
  return undefined;
}

/** True when only files of names that tools make anew are found, each test narrowing down what the others find. */
function findsMadeAnew(args: readonly Arg[]): boolean {
  const texts = args.map((arg) => textOf(arg) ?? "!");
  if (texts.some((text) => /^(?:[!(),]|-(?:o|or|not))$/u.test(text))) return false;
  return texts.some(
    (text, index) => text === "-name" && isMadeAnew((texts[index + 1] ?? "").replace(/^\*/u, "x")),
  );
}

/** find only prints, unless it deletes, writes lists or runs a program that does more than read. */
export const find: Program = (call) => {
  const skipped = call.args.findIndex((arg) => !/^-(?:[HLPEXsx]+|O\d)$/u.test(textOf(arg) ?? ""));
  const args = skipped === -1 ? [] : call.args.slice(skipped);
  const start = startPoints(args);
  return expression(args.slice(start), args.slice(0, start), call);
};

/** fd runs what stands behind `-x` and `-X`. */
export function withExec(asks: Program): Program {
  return (call) => {
    const { args, follow } = call;
    const start = args.findIndex((arg) => /^(?:-[xX]|--exec(?:-batch)?)$/u.test(textOf(arg) ?? ""));
    if (start === -1) return asks(call);
    if (args.some((part) => textOf(part) === ";")) return "fd goes on after the command that it runs";
    const command = args
      .slice(start + 1)
      .map((part) => (/\{[^{}]*\}/u.test(textOf(part) ?? "") ? unknown("{}") : part));
    follow.command([...command, unknown("{}")]);
    return asks({ ...call, args: args.slice(0, start) });
  };
}
