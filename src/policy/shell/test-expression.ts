import type { TestExpression } from "unbash";
import { isNumericWord } from "./arithmetic.ts";
import { visitPattern, visitWord } from "./expansion.ts";
import { effect, type Walk } from "./walk-state.ts";

const NUMERIC_TEST = /^-(?:eq|ne|lt|le|gt|ge)$/u;

/** Checks the inside of `[[ ]]`: number tests evaluate their operands as arithmetic, `-v` a subscript. */
export function checkTest(node: TestExpression, walk: Walk): void {
  switch (node.type) {
    case "TestUnary":
      visitWord(node.operand, walk);
      if (/^-[vR]$/u.test(node.operator) && !/^\w+$/u.test(node.operand.text)) {
        effect(walk, node, "tests a variable whose name is not plain text");
      }
      return;
    case "TestBinary":
      for (const word of [node.left, node.right]) {
        visitPattern(word, walk);
        if (
          NUMERIC_TEST.test(node.operator) &&
          !isNumericWord(word.value.replace(/^-/u, ""), word.parts, walk)
        ) {
          effect(walk, word, "compares a text that is not known to be a number");
        }
      }
      return;
    case "TestLogical":
      for (const operand of node.operands) checkTest(operand, walk);
      return;
    case "TestNot":
      checkTest(node.operand, walk);
      return;
    case "TestGroup":
      checkTest(node.expression, walk);
  }
}
