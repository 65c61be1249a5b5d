import { textOf } from "../../shell/arg.ts";
import type { Program } from "../program.ts";
import { gitCommand } from "./globals.ts";
import { gitVerbs } from "./verbs.ts";

/** git shows and lists with some of its verbs; the others, and every alias, change the repository. */
export const git: Program = (call) => {
  const { verb, args, problem } = gitCommand(call.args);
  if (problem !== undefined) return problem;
  if (verb === undefined) return undefined;
  const name = textOf(verb);
  if (name === undefined) return "the git verb is only known at run time";
  const rule = Object.hasOwn(gitVerbs, name) ? gitVerbs[name] : undefined;
  return rule === undefined ? `git ${name} is not known to be read-only` : rule(args, call);
};
