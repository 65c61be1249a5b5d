import type { Assignment, Command, CommandArgument } from "unbash";
import { judgeSetting } from "../checks/settings.ts";
import { textOf } from "./arg.ts";
import { isOpen, visitAssignment, visitWord } from "./expansion.ts";
import { checkRedirections, inputAfter } from "./redirect.ts";
import { ANYTHING, sampled, samplesOf, type Value } from "./value.ts";
import { isHarmlessExport, isSteeringVariable } from "./variable-names.ts";
import {
  affords,
  effect,
  type Invocation,
  MAX_DEPTH,
  pays,
  spanOf,
  type StdinSource,
  unfollowed,
  type Walk,
} from "./walk-state.ts";
import {
  assignedValue,
  combinations,
  listValue,
  resolveAssignment,
  resolveWord,
  samplesOfArgs,
  type Slot,
} from "./word.ts";

/** An assignment for good, as opposed to one for the time of a command. */
function assign(assignment: Assignment, walk: Walk): void {
  const { name, value, append, index } = assignment;
  if (isSteeringVariable(name)) effect(walk, assignment, `sets ${name}, which steers what later commands do`);
  const given =
    value.type === "Word" ? assignedValue(value, walk.scope) : listValue(value.elements, walk.scope);
  const simple = append !== true && index === undefined;
  const before = simple ? [] : samplesOf(walk.scope.lookup(name));
  walk.scope.assign(name, simple ? given : sampled([...before, ...samplesOf(given)]));
}

function checkExport(assignment: Assignment, command: Command, walk: Walk): void {
  const { name, value, append, index } = assignment;
  if (name === "IFS" && command.name?.text === "read") return;
  const known = value.type === "Word" && append !== true && index === undefined;
  const choices = known ? assignedValue(value, walk.scope) : ANYTHING;
  const harmless = "texts" in choices && choices.texts.every((text) => isHarmlessExport(name, text));
  if (!harmless) carried(choices, name, walk);
  if (harmless) return;
  const texts = "texts" in choices ? choices.texts : [undefined];
  const reason = `runs a program with ${name} set, which may change what it does`;
  for (const text of texts) {
    const kind = judgeSetting(name, text).kind === "unknown" ? "unknown" : "project";
    effect(walk, assignment, reason, { effect: kind }, { kind: "setting", name, value: text });
  }
}

/** What a program may run because a variable such as its editor or pager says so is looked at for danger. */
function carried(value: Value, name: string, walk: Walk): void {
  if (!isSteeringVariable(name) || /(?:PATH|FLAGS|_OPTS|_OPTIONS)$/u.test(name)) return;
  for (const text of samplesOf(value)) if (/\s/u.test(text)) walk.follow(text, walk);
}

function slotsOf(word: CommandArgument, walk: Walk): Slot[] {
  return word.type === "Word" ? resolveWord(word, walk.scope) : [resolveAssignment(word, walk.scope)];
}

/** The alternatives of one slot folded into a single unknown, for commands that have too many in all. */
function folded(slot: Slot): Slot {
  return slot.length <= 1 ? slot : [[{ pieces: [{ kind: "any", text: "…", split: true }], many: true }]];
}

/** What an assignment costs of the budget: its value is held against what the variable may have held before. */
const ASSIGNMENT_STEPS = 4;
/** What a call of a function costs of the budget, for its body is walked again. */
const CALL_STEPS = 16;

/** Reports an invocation, and where the script itself defined its program, what that runs with these arguments. */
function invoke(invocation: Invocation): void {
  const { argv, walk } = invocation;
  walk.visitor.onInvocation(invocation);
  const name = textOf(argv[0]);
  const body = name === undefined ? undefined : walk.functions.get(name);
  if (name === undefined || body === undefined) return;
  if (walk.depth >= MAX_DEPTH) return walk.visitor.onUnfollowed("is nested too deeply", invocation.node);
  const scope = walk.scope.fork();
  scope.setParameters(samplesOfArgs(argv.slice(1)));
  walk.budget.steps -= CALL_STEPS;
  // One that calls itself says nothing new.
  walk.functions.delete(name);
  body({ ...walk, scope, depth: walk.depth + 1 });
  walk.functions.set(name, body);
}

/** Blanks, then an open parenthesis. */
const OPENED = /(?:[ \t]|\\\n)*\(/uy;

/** A parenthesis that the parser drops, behind a name that is no function's, or takes for an array of `eval` or `let`. */
function isMisread({ name, args }: Command, { source }: Walk): boolean {
  OPENED.lastIndex = name?.end ?? source.length;
  if (OPENED.test(source)) return true;
  return /^(?:eval|let)$/u.test(name?.text ?? "") && args.some((arg) => arg.type === "Word" && isOpen(arg));
}

/**
 * Follows what a simple command expands, redirects and assigns, and reports it once for each way it may turn out.
 * @param stdin what an earlier stage of the pipeline feeds it, where that is known
 */
export function walkCommand(command: Command, walk: Walk, stdin: StdinSource): void {
  const { name, prefix, args } = command;
  if (isMisread(command, walk)) unfollowed(walk, command, "cannot be parsed");
  if (!pays(walk, prefix.length * ASSIGNMENT_STEPS + args.length, command)) return;
  for (const item of prefix) if (item.type === "Assignment") visitAssignment(item, walk);
  if (name !== undefined) visitWord(name, walk);
  for (const word of args) {
    if (word.type === "Word") visitWord(word, walk);
    else visitAssignment(word, walk);
  }
  checkRedirections(command.redirects, walk);
  for (const item of prefix) {
    if (item.type !== "Assignment") continue;
    if (name === undefined) assign(item, walk);
    else checkExport(item, command, walk);
  }
  if (name === undefined) return;
  if (!pays(walk, 0, command)) return;
  const slots = [name, ...args].flatMap((word) => slotsOf(word, walk));
  const ways = combinations(slots) ?? combinations(slots.map((slot) => folded(slot))) ?? [];
  const node = spanOf(command, walk);
  for (const way of ways) {
    const argv = way.flat();
    if (argv.length === 0 || textOf(argv[0]) === "")
      effect(walk, name, "runs a program whose name may be empty");
    else if (!affords(walk, argv)) return void pays(walk, 0, command);
    else
      invoke({
        argv,
        stdin: () => inputAfter(command.redirects, walk.scope, stdin),
        walk,
        node,
      });
  }
}
