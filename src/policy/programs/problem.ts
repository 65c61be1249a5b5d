import { shown, textOf } from "../shell/arg.ts";
import { isRawDevice } from "../shell/raw-device.ts";
import { walkInnerSource } from "../shell/source.ts";
import { type Invocation, MAX_DEPTH, type Walk } from "../shell/walk-state.ts";
import type { Follow } from "./program.ts";
import { findProgram, programName } from "./registry.ts";

/** Programs that may be given a raw device because they do not look into it. */
const NOT_LOOKING =
  /^(?:ls|lsblk|stat|file|df|test|\[|readlink|realpath|echo|printf|find|basename|dirname|lsof)$/u;

/** Hands what a program runs back to the walk, one step deeper, so that wrappers cannot nest without end. */
export function followerOf({ walk, node }: Invocation): Follow {
  const inner = (): Walk => ({ ...walk, depth: walk.depth + 1 });
  return {
    command(argv, stdin = () => undefined) {
      walk.budget.steps -= 1 + (argv.length >> 1);
      const followed = walk.depth < MAX_DEPTH && walk.budget.steps > 0;
      if (followed) walk.visitor.onInvocation({ argv, stdin, walk: inner(), node });
      else walk.visitor.onUnfollowed("is nested too deeply", node);
    },
    script(source, shell) {
      walkInnerSource(source, { ...inner(), scope: walk.scope.forChildShell(), posix: shell === "posix" });
    },
    here: (source) => walkInnerSource(source, inner()),
  };
}

/**
 * Why an invocation is not read-only, undefined when it is. What it runs in turn is not part of the answer: that
 * reaches the walk's visitor as an invocation of its own.
 */
export function problemOf(invocation: Invocation): string | undefined {
  const { argv, stdin, walk } = invocation;
  const [program, ...args] = argv;
  const text = textOf(program);
  if (text === undefined) return "the program's name is only known at run time";
  const name = programName(text);
  if (name === undefined) return `${text} does not lie in a folder of the system`;
  const rule = findProgram(name);
  if (rule === undefined) return `${name} is not known to be read-only`;
  const problem = rule({ name, args, stdin, walk, follow: followerOf(invocation) });
  if (problem !== undefined || NOT_LOOKING.test(name)) return problem;
  return args.some((arg) => isRawDevice(shown(arg), walk.scope.folders))
    ? `${name} reads a raw device`
    : undefined;
}
