import ts from "typescript";
import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** What `src` may hold, and the lines of each room (a folder or a file of `src`); these numbers only go down. */
const BUDGET: Readonly<Record<string, number>> = {
  "all lines": 82_405,
  "all files": 1_035,
  "characters of regular expressions": 53_495,
  agents: 1_112,
  checks: 3_898,
  cli: 5_575,
  code: 2_795,
  commands: 1_674,
  composition: 531,
  config: 2_115,
  context: 1_021,
  contracts: 1_667,
  conversation: 17_020,
  delegation: 3_087,
  editing: 1_964,
  hooks: 1_381,
  host: 2_951,
  index: 6,
  knowledge: 1_432,
  lib: 1_919,
  memory: 2_749,
  plugin: 60,
  policy: 1_604,
  process: 844,
  project: 397,
  "pull-request": 943,
  report: 594,
  review: 414,
  runtime: 97,
  sandbox: 1_822,
  "scripted-model": 302,
  "skill-servers": 335,
  spending: 496,
  tools: 7_541,
  trust: 994,
  tui: 1_022,
  vcs: 2_835,
  workspace: 7_106,
  worktrees: 2_102,
};

function regexCharactersIn(node: ts.Node): number {
  let count = ts.isRegularExpressionLiteral(node) ? node.text.length : 0;
  ts.forEachChild(node, (child) => void (count += regexCharactersIn(child)));
  return count;
}

it("keeps the sources and each of their rooms within its budget", async () => {
  const used: Record<string, number> = {};
  const add = (name: string, count: number): void => void (used[name] = (used[name] ?? 0) + count);
  for (const [path, text] of await readSources("src")) {
    const lines = text.split("\n").length - 1;
    add("all lines", lines);
    add("all files", 1);
    add(
      "characters of regular expressions",
      regexCharactersIn(ts.createSourceFile(path, text, ts.ScriptTarget.Latest)),
    );
    add((path.split("/")[0] ?? "").replace(".ts", ""), lines);
  }
  const over = Object.entries(used).filter(([name, count]) => count > (BUDGET[name] ?? 0));
  expect(over.map(([name, count]) => `${name}: ${count}, allowed ${BUDGET[name] ?? 0}`)).toEqual([]);
}, 60_000);
