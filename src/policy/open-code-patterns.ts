import type { Command, ParsedScript, SyntaxNode } from "unbash";
import { forEachChild } from "../libraries/unbash.ts";

/** Commands that OpenCode does not ask about: those that only change the folder, and declarations. */
const UNASKED = /^(?:cd|chdir|pushd|popd|export|declare|typeset|readonly|local|unset)(?:\s|$)/u;

/** Nodes inside nodes that are looked through. */
const MAX_NESTING = 400;

/**
 * What OpenCode (1.18.33) holds against an agent's bash rules: every simple command of a parsed line, each as its text. A
 * redirection is part of it only on the first command of a list or a pipeline; its grammar hangs later ones higher up.
 * Null for a line that is nested too deeply to be looked through.
 */
export function openCodePatterns(script: ParsedScript, source: string): string[] | null {
  const found = new Set<string>();
  let isTooDeep = false;
  const visit = (node: SyntaxNode, leads: boolean, depth: number, from?: number): void => {
    isTooDeep ||= depth > MAX_NESTING;
    if (isTooDeep) return;
    if (node.type === "ArithmeticCommand") found.add(source.slice(node.pos, node.end));
    if (node.type === "Command" && node.name !== undefined && node.name.text !== "[") {
      const text = source.slice(from ?? node.pos, leads ? endOf(node) : endOfWords(node)).trim();
      if (!UNASKED.test(text)) found.add(text);
    }
    const joins = node.type === "AndOr" || node.type === "Pipeline";
    let isFirst = true;
    let timed: number | undefined;
    forEachChild(node, (child) => {
      if (child.type === "Time") {
        timed = child.pos;
        return;
      }
      visit(child, joins ? leads && isFirst : true, depth + 1, timed);
      timed = undefined;
      isFirst = false;
    });
  };
  visit(script, true, 0);
  return isTooDeep ? null : [...found];
}

/** Where a command's text ends with its redirections, the bodies of here-documents included. */
function endOf(command: Command): number {
  const bodies = command.redirects.map((each) =>
    each.type === "HereDoc" ? (each.closing?.end ?? each.end) : each.end,
  );
  return Math.max(command.end, ...bodies);
}

function endOfWords({ pos, name, args }: Command): number {
  return Math.max(pos, name?.end ?? pos, ...args.map(({ end }) => end));
}
