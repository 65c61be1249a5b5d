import type { Assignment, Command, CommandArgument } from "unbash";
import { textOf } from "./arg.ts";
import { visitAssignment, visitWord } from "./expansion.ts";
import { checkRedirections, inputAfter } from "./redirect.ts";
import { ANYTHING } from "./value.ts";
import { isHarmlessExport, isSteeringVariable } from "./variable-names.ts";
import { effect, spanOf, type StdinSource, unfollowed, type Walk } from "./walk-state.ts";
import { assignedValue, combinations, resolveAssignment, resolveWord, type Slot } from "./word.ts";

/** An assignment for good, as opposed to one for the time of a command. */
function assign(assignment: Assignment, walk: Walk): void {
  const { name, value, append, index } = assignment;
  if (isSteeringVariable(name)) effect(walk, assignment, `sets ${name}, which steers what later commands do`);
  const simple = value.type === "Word" && append !== true && index === undefined;
  walk.scope.assign(name, simple ? assignedValue(value, walk.scope) : ANYTHING);
}

function checkExport(assignment: Assignment, command: Command, walk: Walk): void {
  const { name, value, append, index } = assignment;
  if (name === "IFS" && command.name?.text === "read") return;
  const known = value.type === "Word" && append !== true && index === undefined;
  const choices = known ? assignedValue(value, walk.scope) : ANYTHING;
  const harmless = "texts" in choices && choices.texts.every((text) => isHarmlessExport(name, text));
  if (!harmless) effect(walk, assignment, `runs a program with ${name} set, which may change what it does`);
}

function slotsOf(word: CommandArgument, walk: Walk): Slot[] {
  return word.type === "Word" ? resolveWord(word, walk.scope) : [resolveAssignment(word, walk.scope)];
}

/** The alternatives of one slot folded into a single unknown, for commands that have too many in all. */
function folded(slot: Slot): Slot {
  return slot.length <= 1 ? slot : [[{ pieces: [{ kind: "any", text: "…", split: true }], many: true }]];
}

/**
 * Follows what a simple command expands, redirects and assigns, and reports it once for each way it may turn out.
 * @param stdin what an earlier stage of the pipeline feeds it, where that is known
 */
export function walkCommand(command: Command, walk: Walk, stdin: StdinSource): void {
  const { name, prefix, args } = command;
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
  const slots = [name, ...args].flatMap((word) => slotsOf(word, walk));
  const ways = combinations(slots) ?? combinations(slots.map((slot) => folded(slot))) ?? [];
  const node = spanOf(command, walk);
  for (const way of ways) {
    const argv = way.flat();
    if (argv.length === 0 || textOf(argv[0]) === "")
      effect(walk, name, "runs a program whose name may be empty");
    else if (walk.budget.steps-- <= 0) return unfollowed(walk, command, "is too long to be followed");
    else
      walk.visitor.onInvocation({
        argv,
        stdin: () => inputAfter(command.redirects, walk.scope, stdin),
        walk,
        node,
      });
  }
}
