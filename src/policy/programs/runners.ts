import { type Arg, literal, textOf } from "../shell/arg.ts";
import { found, type Program } from "./program.ts";

/** Runners of a project's own tools: the words that begin them, and what runs the rest of the line. */
const RUNNERS: Readonly<Record<string, RegExp>> = {
  npx: /^$/u,
  pnpx: /^$/u,
  bunx: /^$/u,
  uvx: /^$/u,
  "cross-env": /^$/u,
  npm: /^(?:exec|x)$/u,
  pnpm: /^(?:exec|dlx)$/u,
  yarn: /^(?:exec|dlx|run)$/u,
  bun: /^x$/u,
  poetry: /^run$/u,
  uv: /^run$/u,
  pipenv: /^run$/u,
  pdm: /^run$/u,
  hatch: /^run$/u,
  rye: /^run$/u,
  bundle: /^exec$/u,
  mise: /^(?:exec|x)$/u,
  pyenv: /^exec$/u,
  rbenv: /^exec$/u,
  asdf: /^exec$/u,
  volta: /^run$/u,
  c8: /^$/u,
  nyc: /^$/u,
  valgrind: /^$/u,
};
/** Options of runners that take a value. */
const VALUED =
  /^(?:-p|--package|--with|--python|--extra|--group|--env-file|-C|--dir|--filter|-F|-w|--workspace|--reporter|--reporter-dir|--report-dir)$/u;
/** Options with which a runner runs a text, or in another place. */
const OPAQUE = /^(?:-c|--call|--shell-mode|--with-editable|--directory|--project)(?:=|$)/u;

/** The command that a runner is given, its name without a version; undefined when this is no call of one. */
function commandOf(name: string, args: readonly Arg[]): readonly Arg[] | undefined {
  const verb = RUNNERS[name];
  let index = 0;
  if (verb === undefined) return undefined;
  if (!verb.test("")) {
    if (!verb.test(textOf(args[0]) ?? "")) return undefined;
    index = 1;
  }
  for (; index < args.length; index++) {
    const text = textOf(args[index]);
    if (text === undefined || OPAQUE.test(text)) return undefined;
    if (text === "--") {
      index++;
      break;
    }
    if (VALUED.test(text)) index++;
    else if (!/^-|^\w+=/u.test(text)) break;
  }
  const [tool, ...rest] = args.slice(index);
  const text = textOf(tool);
  if (text === undefined) return undefined;
  return [literal(text.replace(/(?<=.)@[\w.^~-]+$/u, "")), ...rest];
}

/** A program that may run a tool of the project's, which is then judged as if it stood there alone. */
export function withTools(own: Program): Program {
  return (call) => {
    const problem = own(call);
    if (typeof problem !== "string") return problem;
    const command = commandOf(call.name, call.args);
    if (command === undefined) return problem;
    call.follow.command(command, call.stdin);
    return found("project", call);
  };
}

export const runners: readonly string[] = Object.keys(RUNNERS);
