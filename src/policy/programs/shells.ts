import type { Finding } from "../examination.ts";
import { type Arg, leading, literal, shown, textOf } from "../shell/arg.ts";
import { sampled } from "../shell/value.ts";
import type { Stdin } from "../shell/walk-state.ts";
import { samplesOfArgs } from "../shell/word.ts";
import { type Call, found, type Program } from "./program.ts";
import { orVersion } from "./subcommands.ts";

/** How a shell was asked to run. */
interface Request {
  readonly flags: string;
  /** What comes after the options: the script of `-c`, or a file, and its parameters. */
  readonly operands: readonly Arg[];
  readonly problem: string | undefined;
}

const HARMLESS_LONG = /^--(?:norc|noprofile|posix|login|version|help)$/u;
const HARMLESS_SETTING = /^(?:pipefail|errexit|nounset|xtrace|noglob|posix)$/u;

/** Why one option is not harmless; the flags of a harmless one go into `flags`. */
function optionProblem(text: string | undefined, value: Arg | undefined): string | undefined {
  if (text === undefined) return "an option is only known at run time";
  if (text.startsWith("--"))
    return HARMLESS_LONG.test(text) ? undefined : `option ${text} is not known to be harmless`;
  const setting = valuesOf(text) === 0 || (value !== undefined && isHarmlessSetting(value));
  return text.startsWith("-") && setting ? undefined : "sets a shell option that is not known to be harmless";
}

function isHarmlessSetting(value: Arg): boolean {
  const text = textOf(value);
  return text !== undefined && HARMLESS_SETTING.test(text);
}

/** How many of the next arguments a bundle of flags takes: each `o` and `O` in it one, wherever it stands. */
function valuesOf(bundle: string): number {
  return bundle.startsWith("--") ? 0 : bundle.replaceAll(/[^oO]/gu, "").length;
}

function requestOf(args: readonly Arg[]): Request {
  let flags = "";
  let problem: string | undefined;
  let index = 0;
  for (; index < args.length; index++) {
    const start = leading(args[index] ?? literal(""));
    const text = textOf(args[index]);
    if (text === "--" || text === "-" || !/^[-+]/u.test(start)) break;
    problem ??= optionProblem(text, args[index + 1]);
    if (valuesOf(start) > 1) problem ??= "sets several shell options at once";
    if (!start.startsWith("--")) flags += start.slice(1);
    if (text === "--version" || text === "--help") return { flags: "n", operands: [], problem };
    index += valuesOf(start);
  }
  const end = /^--?$/u.test(textOf(args[index]) ?? "") ? index + 1 : index;
  return { flags, operands: args.slice(end), problem };
}

/** The source that a shell is given; undefined when it comes from a file. What is not known of it shows as written. */
function sourceOf({ flags, operands }: Request, { stdin }: Call): Stdin | undefined {
  const [script] = operands;
  if (flags.includes("c")) {
    return {
      text: script === undefined ? "" : shown(script),
      complete: script === undefined || textOf(script) !== undefined,
    };
  }
  return operands.length > 0 && !flags.includes("s") ? undefined : stdin();
}

/** Follows the script in a file of the project; undefined where it cannot be read. */
export function scriptFile(call: Call, file: Arg, language: "bash" | "posix"): Finding | undefined {
  const { walk, follow, args } = call;
  const path = textOf(file);
  if (path === undefined || walk.placeOf(file, walk.scope.folders) !== "project") return undefined;
  const texts = walk.scope.folders.map((folder) =>
    walk.readScript(path.startsWith("/") || folder === "" ? path : `${folder}/${path}`),
  );
  for (const text of texts) {
    if (text === undefined) return undefined;
    // Another language is the project's own affair, as is its source in any other call.
    if (/^#!(?!.*\b(?:ba|da|z)?sh\b)/u.test(text)) continue;
    walk.scope.during(() => {
      walk.scope.setParameters(samplesOfArgs(args.slice(args.indexOf(file) + 1)));
      follow.file(text, language);
    });
  }
  return found("project", call);
}

/** A shell whose language is followed. */
function shell(language: "bash" | "posix"): Program {
  return (call) => {
    const request = requestOf(call.args);
    const source = sourceOf(request, call);
    if (source !== undefined) {
      call.walk.scope.during(() => {
        const parameters = request.flags.includes("c") ? request.operands.slice(1) : request.operands;
        const [zero, ...rest] = request.flags.includes("c") ? parameters : [undefined, ...parameters];
        call.walk.scope.assign("0", sampled(zero === undefined ? [] : samplesOfArgs([zero])));
        call.walk.scope.setParameters(samplesOfArgs(rest.filter((arg) => arg !== undefined)));
        call.follow.script(source.text, language);
      });
    }
    if (request.problem !== undefined) return request.problem;
    const [file] = request.operands;
    if (source === undefined && file !== undefined && request.flags === "")
      return scriptFile(call, file, language) ?? `${call.name} runs a file that cannot be read now`;
    if (/[^cexulnsfhBo]/u.test(request.flags))
      return "starts a shell with options that are not known to be harmless";
    if (request.flags.includes("n") && !request.flags.includes("c")) return undefined;
    return source?.complete === true ? undefined : `${call.name} runs what is only known at run time`;
  };
}

/** A shell with a language of its own: looked into for danger, never taken for harmless. */
const foreign: Program = (call) => {
  const source = sourceOf(requestOf(call.args), call);
  if (source !== undefined) call.follow.script(source.text, "bash");
  return `${call.name} is a shell whose language is not followed`;
};

export const shells: ReadonlyMap<string, Program> = new Map<string, Program>([
  ["bash", shell("bash")],
  ["sh", shell("posix")],
  ["dash", shell("posix")],
  ["ash", shell("posix")],
  ...["zsh", "ksh", "mksh", "fish", "csh", "tcsh", "rbash"].map((name): [string, Program] => [
    name,
    orVersion(foreign),
  ]),
]);
