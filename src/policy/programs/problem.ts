import { isGraver } from "../examination.ts";
import { literal, shown, textOf } from "../shell/arg.ts";
import { isRawDevice } from "../shell/raw-device.ts";
import { walkInnerSource } from "../shell/source.ts";
import { affords, type Invocation, MAX_DEPTH, type Walk } from "../shell/walk-state.ts";
import type { Follow, Problem } from "./program.ts";
import { findProgram, programName } from "./registry.ts";
import { scriptFile } from "./shells.ts";

/** Folders and wrappers in which a project keeps tools that go by their usual names. */
const TOOLS =
  /(?:^|\/)(?:node_modules\/\.bin|vendor\/bin|\.?venv\/bin|bin)\/[\w.-]+$|(?:^|\/)(?:gradlew|mvnw)$/u;
const HERE = literal(".");
/** A file in the folder where a command runs. */
const FILE_HERE = literal("./x");

/** Programs after which a folder may be another one, or none. */
const MOVING = /^(?:rm|rmdir|mv|unlink|rimraf|find|shred|trash|rsync|git|jj|tar|unzip|ln)$/u;

/** Programs that may be given a raw device because they do not look into it. */
const NOT_LOOKING =
  /^(?:ls|lsblk|stat|file|df|test|\[|readlink|realpath|echo|printf|find|basename|dirname|lsof)$/u;

/** Hands what a program runs back to the walk, one step deeper, so that wrappers cannot nest without end. */
export function followerOf({ walk, node }: Invocation): Follow {
  const inner = (): Walk => ({ ...walk, depth: walk.depth + 1 });
  return {
    command(argv, stdin = () => undefined) {
      if (walk.depth < MAX_DEPTH && affords(walk, argv))
        walk.visitor.onInvocation({ argv, stdin, walk: inner(), node });
      else walk.visitor.onUnfollowed("is nested too deeply", node);
    },
    script(source, shell) {
      walkInnerSource(source, { ...inner(), scope: walk.scope.forChildShell(), posix: shell === "posix" });
    },
    file(source, shell) {
      const visitor = walk.visitor.inFile ?? walk.visitor;
      const at = { ...inner(), visitor, scope: walk.scope.forChildShell(), posix: shell === "posix" };
      walkInnerSource(source, at);
    },
    here: (source) => walkInnerSource(source, inner()),
  };
}

/** What is done in a folder outside of the project is done there; files of a temporary folder are temporary. */
function placed(problem: Problem | undefined, { placeOf, scope }: Walk): Problem | undefined {
  if (problem === undefined || typeof problem === "string" || placeOf(FILE_HERE, scope.folders) !== "outside")
    return problem;
  return isGraver("outside", problem.effect) ? { ...problem, effect: "outside" } : problem;
}

/** A program of the project's own: a tool in a folder for those, by its name, or a script. */
function localProblem(path: string, invocation: Invocation): Problem {
  const { argv, stdin, walk } = invocation;
  const [program = HERE, ...args] = argv;
  const reason = `${path} does not lie in a folder of the system`;
  if (walk.placeOf(program, walk.scope.folders) !== "project") return reason;
  const name = path.slice(path.lastIndexOf("/") + 1);
  const call = { name, args, stdin, walk, follow: followerOf(invocation) };
  if (TOOLS.test(path)) {
    const does = findProgram(name)?.(call);
    return typeof does === "object" ? does : reason;
  }
  const script = scriptFile({ ...call, args: argv }, program, "bash");
  return script ?? reason;
}

/**
 * What an invocation does more than read, undefined when it only reads. What it runs in turn is not part of the answer: that
 * reaches the walk's visitor as an invocation of its own.
 */
export function problemOf(invocation: Invocation): Problem | undefined {
  const { argv, stdin, walk } = invocation;
  const [program, ...args] = argv;
  const text = textOf(program);
  if (text === undefined) return "the program's name is only known at run time";
  const name = programName(text);
  if (name === undefined) return localProblem(text, invocation);
  const rule = findProgram(name);
  if (rule === undefined) return `${name} is not known to be read-only`;
  if (MOVING.test(name)) walk.disk.isMoved = true;
  const problem = placed(rule({ name, args, stdin, walk, follow: followerOf(invocation) }), walk);
  if (problem !== undefined || NOT_LOOKING.test(name)) return problem;
  return args.some((arg) => isRawDevice(shown(arg), walk.scope.folders))
    ? `${name} reads a raw device`
    : undefined;
}
