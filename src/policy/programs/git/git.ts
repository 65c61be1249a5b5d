import { type Arg, leading, shown, textOf } from "../../shell/arg.ts";
import { pathsOf, type Walk } from "../../shell/walk-state.ts";
import { found, type Program } from "../program.ts";
import { gitCommand } from "./globals.ts";
import { gitVerbs } from "./verbs.ts";

/** A format with which git checks signatures, which it does with another program. */
const SIGNATURE = /%\(signature|%[-+ ]?G/u;

/** `git restore --staged` changes the index alone. */
function isStaged(args: readonly Arg[]): boolean {
  const texts = args.map((arg) => textOf(arg));
  return (
    texts.some((text) => text === "--staged" || text === "-S") &&
    !texts.some((text) => text === "--worktree" || text === "-W")
  );
}

/** git shows and lists with some of its verbs; the others, and every alias, change the repository. */
export const git: Program = (call) => {
  const { verb, args, places, problem } = gitCommand(call.args);
  if (problem !== undefined) return problem;
  if (verb === undefined) return undefined;
  const name = textOf(verb);
  if (name === undefined) return "the git verb is only known at run time";
  const end = args.findIndex((arg) => textOf(arg) === "--");
  if ((end === -1 ? args : args.slice(0, end)).some((arg) => SIGNATURE.test(shown(arg))))
    return "git would check signatures with another program";
  const rule = gitVerbs.get(name);
  if (rule === undefined) return `git ${name} is not known to be read-only`;
  const named = { ...call, name: `git ${name}`, args };
  // Behind a -- stand paths, whatever they are called.
  const hasPaths = end !== -1 && end < args.length - 1 && /^(?:checkout|restore)$/u.test(name);
  const does = hasPaths && !isStaged(args) ? found("lossy", named) : rule(named);
  const isElsewhere = places.some((place) => call.walk.placeOf(place, call.walk.scope.folders) === "outside");
  if (typeof does !== "object") return does;
  if (isElsewhere) return found("outside", { name: `git ${name}`, args });
  const paths = places.length === 0 && does.effect === "lossy" ? restored(name, args, call.walk) : undefined;
  return paths === undefined ? does : { ...does, paths };
};

/** The files whose changes are thrown away, where a call does nothing else. */
function restored(verb: string, args: readonly Arg[], walk: Walk): string[] | undefined {
  const [options, files] = [args.filter(isOption), args.filter((arg) => !isOption(arg))];
  const isPlain = options.every((arg) => /^(?:--|-q|--quiet|--worktree|-W)$/u.test(shown(arg)));
  if (!/^(?:checkout|restore)$/u.test(verb) || !isPlain || files.length === 0) return undefined;
  return files.every((arg) => textOf(arg) !== undefined)
    ? files.flatMap((arg) => pathsOf(arg, walk))
    : undefined;
}

function isOption(arg: Arg): boolean {
  return leading(arg).startsWith("-");
}
