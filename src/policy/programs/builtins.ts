import { type Arg, leading, literal, shown, textOf } from "../shell/arg.ts";
import { HOME, START_FOLDER } from "../shell/scope.ts";
import { sampled } from "../shell/value.ts";
import { isHarmlessExport, isSteeringVariable } from "../shell/variable-names.ts";
import { samplesOfArgs } from "../shell/word.ts";
import { atMost, optionReader } from "./options.ts";
import { type Call, found, type Program } from "./program.ts";
import { printf } from "./text-tools.ts";

/** Words of input that are told apart. */
const MAX_WORDS = 20;
const NAME = /^[A-Za-z_]\w*$/u;

/** Binds names that take their value from outside the script, or from texts of which these are examples. */
function bind(names: readonly Arg[], { walk }: Call, samples: readonly string[] = []): string | undefined {
  for (const arg of names) {
    const name = textOf(arg);
    if (name === undefined || !NAME.test(name)) return `${shown(arg)} is no plain variable name`;
    if (isSteeringVariable(name)) return `sets ${name}, which steers what later commands do`;
    walk.scope.assign(name, sampled(samples));
  }
  return undefined;
}

const READ = optionReader({ short: "rs a: d: n: N: p: t: u:", leading: true });

/** Zsh takes the value of an option that it does not know for a name, whose subscript it evaluates. */
function subscript(args: readonly Arg[]): string | undefined {
  const found = args
    .map((arg) => shown(arg))
    .find((text) => /[$`]/u.test(text.slice(text.indexOf("[") + 1 || text.length)));
  return found === undefined ? undefined : `${found} may be evaluated as a subscript`;
}

const read: Program = (call) => {
  const options = READ(call.args);
  if ("problem" in options) return options.problem;
  const problem = subscript(call.args);
  if (problem !== undefined) return problem;
  return bind([...options.operands, ...(options.given.get("a") ?? [])], call, inputOf(call));
};

/** What a builtin may read: its input, whole and word by word. */
function inputOf({ stdin }: Call): string[] {
  const text = stdin()?.text.trim() ?? "";
  return text === "" ? [] : [text, ...text.split(/\s+/u).slice(0, MAX_WORDS)];
}

const MAPFILE = optionReader({ short: "t d: n: O: s: u:", leading: true });

const mapfile: Program = (call) => {
  const options = MAPFILE(call.args);
  return "problem" in options
    ? options.problem
    : (atMost(1, options.operands) ?? bind(options.operands, call, inputOf(call)));
};

const unset: Program = (call) =>
  bind(
    call.args.filter((arg) => !["-f", "-v"].includes(textOf(arg) ?? shown(arg))),
    call,
  );

const exported: Program = ({ args, walk, follow }) => {
  let problem: string | undefined;
  for (const arg of args) {
    if (textOf(arg) === "-p") continue;
    const text = textOf(arg);
    if (text === undefined) {
      problem ??= `exports ${shown(arg)}, which is only known at run time`;
      const open = /^([A-Za-z_]\w*)=/u.exec(leading(arg))?.[1];
      if (open !== undefined) walk.scope.assign(open, sampled(samplesOfArgs([arg])));
      continue;
    }
    const [name = "", ...rest] = text.split("=");
    const value = walk.scope.lookup(name);
    const texts = rest.length > 0 ? [rest.join("=")] : "texts" in value ? value.texts : [undefined];
    const harmless = texts.every((known) => isHarmlessExport(name, known));
    // An editor or a pager is a command that a later program runs.
    if (!harmless && rest.length > 0 && /\s/u.test(text)) follow.script(rest.join("="), "posix");
    if (!harmless) problem ??= `exports ${shown(arg)}, which may change what later programs do`;
    if (rest.length > 0) walk.scope.assign(name, { texts: [rest.join("=")] });
  }
  return problem;
};

/**
 * The plain name that an argument declares, undefined when the shell may find another one in it. A text that may begin
 * with a parenthesis is refused too: the shell expands it once more where the variable is an array.
 */
function declaredName({ pieces }: Arg, isArray: boolean): string | undefined {
  const [first = "", second] = pieces;
  if (typeof first === "object") return /^([A-Za-z_]\w*)=\(/u.exec(first.text)?.[1];
  const [, name, value] = /^([A-Za-z_]\w*)(?:=([^]*))?$/u.exec(first) ?? [];
  if (value === undefined) return second === undefined ? name : undefined;
  const number = typeof second === "object" && second.kind === "number";
  const plain = value === "" ? second === undefined || number : !value.startsWith("(");
  const split = pieces.some((piece) => typeof piece === "object" && piece.split);
  return plain && !split && !isArray ? name : undefined;
}

/**
 * Shows declarations, or makes plain ones; the other flags change what later assignments mean, and a plain shell may
 * know none of this. What is not followed is assigned all the same, for it may be what a later command deletes.
 */
const declare: Program = ({ args, walk }) => {
  const texts = args.map((arg) => textOf(arg));
  const [first] = texts;
  const isShown = (text: string | undefined): boolean => text !== undefined && /^-[pfF]+$|^\w+$/u.test(text);
  if (first !== undefined && /^-[pfF]+$/u.test(first) && texts.every((text) => isShown(text)))
    return undefined;
  const flags = texts.filter((text) => text?.startsWith("-") === true);
  const declaring = args.filter((_, index) => texts[index]?.startsWith("-") !== true);
  const isArray = flags.some((flag) => flag !== undefined && /a/iu.test(flag));
  let isPlain = !walk.posix && flags.every((flag) => flag !== undefined && /^-[aAg]+$/u.test(flag));
  for (const arg of declaring) {
    const name = declaredName(arg, isArray);
    if (name === undefined || isSteeringVariable(name)) isPlain = false;
    if (name === undefined) continue;
    const text = isArray ? undefined : textOf(arg);
    const written = arg.pieces.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");
    const elements = /^\w+=\((.*)\)$/su.exec(written)?.[1]?.trim().split(/\s+/u) ?? [];
    const samples = [...elements, ...samplesOfArgs([arg]).map((sample) => sample.replace(/^\w+=/u, ""))];
    const value = text === undefined ? sampled(samples) : { texts: [text.slice(name.length + 1)] };
    walk.scope.assign(name, value);
  }
  return isPlain || declaring.length === 0 ? undefined : "declares a variable in a way that is not followed";
};

const readonly: Program = (call) => {
  if (call.args.every((arg) => textOf(arg) === "-p")) return undefined;
  declare(call);
  return "fixes a variable";
};

/** `-v` puts the text into a variable. */
const printInto: Program = (call) =>
  textOf(call.args[0]) === "-v"
    ? (bind(call.args.slice(1, 2), call, samplesOfArgs(call.args.slice(2))) ??
      printf({ ...call, args: call.args.slice(2) }))
    : printf(call);

const set: Program = ({ args, walk }) => {
  const end = args.findIndex((arg) => textOf(arg) === "--");
  const parameters = end === -1 ? args.filter((arg) => !/^[-+]/u.test(leading(arg))) : args.slice(end + 1);
  if (parameters.length > 0) walk.scope.setParameters(samplesOfArgs(parameters));
  for (const [index, arg] of args.entries()) {
    const text = textOf(arg);
    if (text === "--") return undefined;
    if (text !== undefined && /^[-+][euxfCo]+$/u.test(text)) continue;
    const setting =
      text !== undefined &&
      textOf(args[index - 1])?.endsWith("o") === true &&
      /^(?:pipefail|errexit|nounset|xtrace|noglob|noclobber)$/u.test(text);
    if (!setting) return "sets shell options or parameters in a way that is not followed";
  }
  return undefined;
};

const shopt: Program = ({ args }) =>
  args.every((arg) => /^(?:-[suqp]|nullglob|globstar|dotglob|nocaseglob|failglob)$/u.test(textOf(arg) ?? ""))
    ? undefined
    : "sets a shell option that is not known to be harmless";

/** In a test of a variable by name, a subscript would be evaluated, and so would the substitutions in it. */
const test: Program = ({ args }) => {
  for (const [index, arg] of args.entries()) {
    const opaque = arg.pieces.some(
      (piece) => typeof piece === "object" && piece.kind === "any" && piece.split && piece.unset !== true,
    );
    if (opaque) return `${shown(arg)} may turn into -v and a subscript; put it between quotes`;
    const text = textOf(arg) ?? "";
    if (text.includes("[") && /[$`]/u.test(text.slice(text.indexOf("["))))
      return `${shown(arg)} may be evaluated as a subscript`;
    if (textOf(args[index - 1]) === "-v" && !/^\w+$/u.test(textOf(arg) ?? ""))
      return "tests a variable whose name is not plain text";
  }
  return undefined;
};

const evaluate: Program = ({ args, follow }) => {
  const texts = args.map((arg) => textOf(arg));
  follow.here(args.map((arg) => shown(arg)).join(" "));
  return texts.includes(undefined) ? "evaluates a text that is only known at run time" : undefined;
};

const alias: Program = ({ args, follow }) => {
  const defined = args.map((arg) => shown(arg)).filter((text) => text.includes("="));
  for (const text of defined) follow.script(text.slice(text.indexOf("=") + 1), "bash");
  return defined.length > 0 ? "defines an alias" : undefined;
};

const trap: Program = ({ args, follow }) => {
  const action = args.find((arg) => !leading(arg).startsWith("-"));
  if (action !== undefined) follow.script(shown(action), "bash");
  return args.length > 0 ? "sets a trap" : undefined;
};

/** Whether an argument is the number of a process that the line began. */
function isOwnJob({ pieces }: Arg): boolean {
  const [piece, more] = pieces;
  if (typeof piece !== "object" || more !== undefined || piece.kind !== "number") return false;
  return piece.samples?.length === 1 && piece.samples[0] === "$!";
}

/** Signal 0 only asks whether a process is there; a job, or the last one begun, is the line's own. */
const kill: Program = (call) => {
  const { args } = call;
  if (/^-(?:0|l|L)$/u.test(textOf(args[0]) ?? "")) return undefined;
  const isOwn = args.every((arg) => /^(?:-\w+|%[\d+%-]*)$/u.test(shown(arg)) || isOwnJob(arg));
  return found(isOwn ? "project" : "outside", call);
};

/** A folder that may lie outside of the one it is entered from. */
const LEAVES = /^\/|(?:^|\/)\.\.(?:\/|$)/u;

/** Moves the scope to the folder that `cd` enters; an unknown one is anywhere the script was, or inside the project. */
const cd: Program = ({ args, walk: { scope } }) => {
  const target = args.find((arg) => !/^(?:--|-[LPe@n]+)$/u.test(textOf(arg) ?? shown(arg)));
  const path = target === undefined ? HOME : textOf(target);
  if (path !== undefined && !/^(?:-|[-+]\d+)$/u.test(path)) scope.enterBelow(path);
  else {
    const here = scope.folders;
    scope.goBack();
    const samples = target === undefined ? [] : samplesOfArgs([target]).filter((text) => LEAVES.test(text));
    const below = samples.flatMap((text) =>
      here.map((folder) => (text.startsWith("/") || folder === "" ? text : `${folder}/${text}`)),
    );
    scope.enter([...here, ...scope.folders, ...below, START_FOLDER]);
  }
  return undefined;
};

/** As `cd`, but what is left can be returned to, and without a folder it returns. */
const pushd: Program = (call) => {
  const before = call.walk.scope.folders;
  const returns = call.args.every((arg) => leading(arg).startsWith("-"));
  cd(returns ? { ...call, args: [literal("-")] } : call);
  const stays = call.args.some((arg) => textOf(arg) === "-n");
  if (stays) call.walk.scope.enter(before);
  return undefined;
};

const popd: Program = ({ walk: { scope } }) => {
  const here = scope.folders;
  scope.goBack();
  scope.enter([...here, ...scope.folders]);
  return undefined;
};

/** Commands of the shell itself that have to be looked at; the ones that only print are among the readers. */
export const builtins: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["read", read],
  ["mapfile", mapfile],
  ["readarray", mapfile],
  ["unset", unset],
  ["export", exported],
  ...["declare", "typeset", "local"].map((name): [string, Program] => [name, declare]),
  ["readonly", readonly],
  ["printf", printInto],
  ["set", set],
  ["shopt", shopt],
  ["test", test],
  ["[", test],
  ["eval", evaluate],
  ["alias", alias],
  ["trap", trap],
  ["kill", kill],
  ["cd", cd],
  ["pushd", pushd],
  ["popd", popd],
]);
