import type { ArithmeticExpression, WordPart } from "unbash";
import { outputKind } from "./output-kind.ts";
import { isNumeric, NUMBER } from "./value.ts";
import { isSteeringVariable } from "./variable-names.ts";
import { effect, pays, type Walk } from "./walk-state.ts";

const INTEGER = /^(?:0x[\da-f]+|\d+(?:#\w+)?)$/iu;
/** Assignment operators of bash arithmetic; comparisons such as `<=` and `==` are none. */
export const ASSIGNING = /^(?:[-+*/%&^|]|<<|>>)?=$/u;
const NAME = /^[A-Za-z_]\w*$/u;

/** True when bash can evaluate this variable as arithmetic without running anything its value may hold. */
export function isNumericVariable(name: string, { scope }: Walk): boolean {
  return isNumeric(scope.lookup(name)) || (NAME.test(name) && scope.isFromEnvironment(name));
}

function isNumericPart(part: WordPart, walk: Walk): boolean {
  switch (part.type) {
    case "Literal":
      return /^\d*$/u.test(part.value);
    case "SimpleExpansion":
      return isNumericVariable(part.text.slice(1), walk);
    case "ParameterExpansion": {
      if (part.prefix === "#") return true;
      const simple = part.prefix === undefined && part.index === undefined && part.operation === undefined;
      return simple && isNumericVariable(part.parameter, walk);
    }
    case "CommandExpansion":
      return outputKind(part.script) === "number";
    case "DoubleQuoted":
      return part.parts.every((child) => isNumericPart(child, walk));
    case "ArithmeticExpansion":
      return true;
    default:
      return false;
  }
}

/** True when a word evaluates to a number with nothing run on the way, apart from what a visit of its parts finds. */
export function isNumericWord(value: string, parts: readonly WordPart[] | undefined, walk: Walk): boolean {
  if (parts !== undefined) return parts.every((part) => isNumericPart(part, walk));
  return value === "" || INTEGER.test(value) || (NAME.test(value) && isNumericVariable(value, walk));
}

function assign(target: ArithmeticExpression, walk: Walk): void {
  if (target.type !== "ArithmeticWord" || !NAME.test(target.value) || isSteeringVariable(target.value)) {
    effect(walk, target, "assigns a variable in a way that is not followed");
    return;
  }
  walk.scope.assign(target.value, NUMBER);
}

/**
 * Checks an arithmetic expression: bash evaluates what variables hold, subscripts with their substitutions included,
 * so every value in it has to be known to be a number.
 * @param visit is called for the parts of words, which may hold substitutions of their own
 */
export function checkArithmetic(
  node: ArithmeticExpression,
  walk: Walk,
  visit: (part: WordPart) => void,
): void {
  if (!pays(walk, 1, node)) return;
  switch (node.type) {
    case "ArithmeticWord":
      for (const part of node.parts ?? []) visit(part);
      if (!isNumericWord(node.value, node.parts, walk))
        effect(walk, node, "evaluates a text that is not known to be a number");
      return;
    case "ArithmeticBinary":
      checkArithmetic(node.right, walk, visit);
      if (node.operator !== "=") checkArithmetic(node.left, walk, visit);
      if (ASSIGNING.test(node.operator)) assign(node.left, walk);
      return;
    case "ArithmeticUnary":
      checkArithmetic(node.operand, walk, visit);
      if (node.operator === "++" || node.operator === "--") assign(node.operand, walk);
      return;
    case "ArithmeticTernary":
      for (const part of [node.test, node.consequent, node.alternate]) checkArithmetic(part, walk, visit);
      return;
    case "ArithmeticGroup":
      checkArithmetic(node.expression, walk, visit);
      return;
    case "ArithmeticCommandExpansion":
      if (node.script === undefined || outputKind(node.script) !== "number") {
        effect(walk, node, "evaluates the output of a command as arithmetic");
      }
      if (node.script !== undefined) walk.enter(node.script, { ...walk, scope: walk.scope.fork() });
  }
}
