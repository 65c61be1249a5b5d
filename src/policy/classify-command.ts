import { findCarried, findDanger, scanText } from "./danger/danger.ts";
import { type DangerPattern, matchPattern } from "./danger/patterns.ts";
import { Findings, type Judgement } from "./judgement.ts";
import type { Follow } from "./programs/program.ts";
import { findProgram, programName } from "./programs/registry.ts";
import { shown, textOf } from "./shell/arg.ts";
import { RAW_DEVICE } from "./shell/redirect.ts";
import { walkInnerSource, walkSource } from "./shell/source.ts";
import { type Invocation, MAX_DEPTH, type Visitor, type Walk } from "./shell/walk-state.ts";

/** Programs that may be given a raw device because they do not look into it. */
const NOT_LOOKING = /^(?:ls|lsblk|stat|file|df|test|\[|readlink|realpath|echo|printf|find|basename|dirname|lsof)$/u;

/** Hands what a program runs back to the walk, one step deeper, so that wrappers cannot nest without end. */
function followerOf({ walk, node }: Invocation): Follow {
  const inner: Walk = { ...walk, depth: walk.depth + 1 };
  return {
    command(argv, stdin) {
      if (inner.depth > MAX_DEPTH || walk.budget.steps-- <= 0) walk.visitor.onUnfollowed("is nested too deeply", node);
      else walk.visitor.onInvocation({ argv, stdin, walk: inner, node });
    },
    script(source, shell) {
      walkInnerSource(source, { ...inner, scope: walk.scope.forChildShell(), posix: shell === "posix" });
    },
    here: (source) => walkInnerSource(source, inner),
  };
}

/** Why an invocation is not read-only, undefined when it is; what it runs in turn is judged on its own. */
function problemOf(invocation: Invocation): string | undefined {
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
  return args.some((arg) => RAW_DEVICE.test(shown(arg))) ? `${name} reads a raw device` : undefined;
}

function judge(invocation: Invocation, findings: Findings, patterns: readonly DangerPattern[]): void {
  const { argv, stdin, walk, node } = invocation;
  const { folders } = walk.scope;
  const danger = findDanger(argv, folders, stdin);
  if (danger !== undefined) findings.add("dangerous", danger, node);
  const pattern = matchPattern(patterns, argv);
  if (pattern !== undefined) findings.add("dangerous", `matches the dangerous command ${pattern}`, node);
  const problem = problemOf(invocation);
  if (problem === undefined) return;
  findings.add("mutating", problem, node);
  const carried = findCarried(argv, folders, (source) => followerOf(invocation).script(source, "bash"));
  if (carried !== undefined) findings.add("dangerous", carried, node);
}

/**
 * Judges a bash command line without running it (SPEC 9): read-only only when every program, option, redirection
 * and expansion in it is known to be; dangerous when something in it is allowed in no mode.
 *
 * Never throws, and takes time in proportion to the length of the command: one longer than 64 KB, one that does not
 * parse and one that is nested too deeply is mutating, after a search for what is plainly dangerous.
 * @param options `dangerous`: commands of the user's own that no mode allows, see `DangerPattern`
 */
export function classifyCommand(command: string, options: { dangerous?: readonly DangerPattern[] } = {}): Judgement {
  const findings = new Findings();
  const patterns = options.dangerous ?? [];
  let unfollowed = false;
  const visitor: Visitor = {
    onUnfollowed: (reason, node) => {
      unfollowed = true;
      findings.add("mutating", reason, node);
    },
    onEffect: (reason, node) => findings.add("mutating", reason, node),
    onDanger: (reason, node) => findings.add("dangerous", reason, node),
    onInvocation: (invocation) => judge(invocation, findings, patterns),
    onInput: (file, walk, node) => {
      if (RAW_DEVICE.test(shown(file))) walk.visitor.onEffect("reads a raw device", node);
    },
  };
  walkSource(command, visitor);
  const danger = unfollowed ? scanText(command) : undefined;
  if (danger !== undefined) findings.add("dangerous", danger);
  return findings.judgement;
}
