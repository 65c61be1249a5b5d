import { findCarried, findDanger, scanText } from "./danger/danger.ts";
import { type DangerPattern, matchPattern } from "./danger/patterns.ts";
import { Findings, type Judgement } from "./judgement.ts";
import { followerOf, problemOf } from "./programs/judge.ts";
import { shown } from "./shell/arg.ts";
import { RAW_DEVICE } from "./shell/redirect.ts";
import { walkSource } from "./shell/source.ts";
import type { Invocation, Visitor } from "./shell/walk-state.ts";

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
  const carried = findCarried(
    argv,
    folders,
    (source) => followerOf(invocation).script(source, "bash"),
    stdin,
  );
  if (carried !== undefined) findings.add("dangerous", carried, node);
}

/** What the judgement of a command depends on besides the command. */
export interface CommandPolicy {
  /** Commands of the user's own that no mode allows. */
  readonly dangerous?: readonly DangerPattern[];
  /** The absolute path of the folder it runs in; without it, relative paths are taken to lie inside a project. */
  readonly folder?: string;
}

/**
 * Judges a bash command line without running it (SPEC 9): read-only only when every program, option, redirection
 * and expansion in it is known to be; dangerous when something in it is allowed in no mode.
 *
 * Never throws, and takes time in proportion to the length of the command: one longer than 64 KB, one that does not
 * parse and one that is nested too deeply is mutating, after a search for what is plainly dangerous.
 */
export function classifyCommand(command: string, options: CommandPolicy = {}): Judgement {
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
  walkSource(command, visitor, options.folder);
  const danger = unfollowed ? scanText(command) : undefined;
  if (danger !== undefined) findings.add("dangerous", danger);
  return findings.judgement;
}
