import type { Command, SyntaxNode } from "unbash";
import { forEachChild } from "../../libraries/unbash.ts";
import { ASSIGNING } from "./arithmetic.ts";
import { isPlainWord } from "./plain-word.ts";
import { Scope } from "./scope.ts";
import { ANYTHING, joinValues, NUMBER, type Value } from "./value.ts";
import { assignedValue, loopValue } from "./word.ts";
import type { Walk } from "./walk-state.ts";

/** Builtins that put their input into the variables they are given. */
const READING =
  /^(?:read|mapfile|readarray|getopts|printf|declare|typeset|local|readonly|export|unset|let)$/u;

/** Builtins behind which any of the above may stand. */
const HIDING = /^(?:eval|command|builtin|exec|source|\.)$/u;

/** What a node costs of the budget, which is only looked at and not followed here. */
const NODE_STEPS = 0.25;
/** What a value costs that is made out and joined with the others of its variable. */
const BIND_STEPS = 0.5;

type Bind = (name: string, value: Value) => void;

/** True when what a command assigns does not show in its words. */
function isOpaque({ name, args }: Command): boolean {
  if (name === undefined) return false;
  const asks = name.value === "command" && /^-[vV]$/u.test(args[0]?.text ?? "");
  if (!isPlainWord(name) || HIDING.test(name.value)) return !asks;
  return READING.test(name.value) && args.some((word) => word.type === "Word" && !isPlainWord(word));
}

function bindNode(node: SyntaxNode, bind: Bind): void {
  switch (node.type) {
    case "Assignment":
      bind(
        node.name,
        node.value.type === "Word" && node.append !== true
          ? assignedValue(node.value, new Scope())
          : ANYTHING,
      );
      return;
    case "For":
      bind(node.name.value, loopValue(node.wordlist ?? [], new Scope()));
      return;
    case "ArithmeticBinary":
      if (ASSIGNING.test(node.operator) && node.left.type === "ArithmeticWord") bind(node.left.value, NUMBER);
      return;
    case "ArithmeticUnary":
      if (node.operand.type === "ArithmeticWord") bind(node.operand.value, NUMBER);
      return;
    case "Command":
      if (!READING.test(node.name?.value ?? "")) return;
      for (const word of node.suffix) if (word.type === "Word") bind(word.value, ANYTHING);
      bind("REPLY", ANYTHING);
      return;
    default:
  }
}

/**
 * Lets a scope know of everything that a loop body may assign, before the body is walked: a later round starts with
 * what an earlier one left behind.
 */
export function foresee(body: SyntaxNode, walk: Walk): void {
  const found = new Map<string, Value>();
  const bind: Bind = (name, value) => {
    walk.budget.steps -= BIND_STEPS;
    const before = found.get(name);
    found.set(name, before === undefined ? value : joinValues(before, value));
  };
  const open: SyntaxNode[] = [body];
  for (let node = open.pop(); node !== undefined && walk.budget.steps > 0; node = open.pop()) {
    walk.budget.steps -= NODE_STEPS;
    bindNode(node, bind);
    if (node.type === "Command" && isOpaque(node)) walk.scope.forgetAll();
    forEachChild(node, (child) => {
      if (child.type !== "Word" || /\(\(|\$\[/u.test(child.text)) open.push(child);
    });
  }
  for (const [name, value] of found) walk.scope.assign(name, joinValues(walk.scope.lookup(name), value));
}
