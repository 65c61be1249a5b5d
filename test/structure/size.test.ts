import ts from "typescript";
import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** What `src` may hold, and the lines of each room (a folder or a file of `src`); these numbers only go down (rounded up to the next 20). */
const BUDGET: Readonly<Record<string, number>> = {
  "all lines": 82_420,
  "all files": 1_035,
  "characters of regular expressions": 53_500,
  agents: 1_120,
  checks: 3_900,
  cli: 5_580,
  code: 2_800,
  commands: 1_680,
  composition: 540,
  config: 2_120,
  context: 1_040,
  contracts: 1_680,
  conversation: 17_020,
  delegation: 3_100,
  editing: 1_980,
  hooks: 1_400,
  host: 2_960,
  index: 20,
  knowledge: 1_440,
  lib: 1_920,
  memory: 2_760,
  plugin: 60,
  policy: 1_620,
  process: 860,
  project: 400,
  "pull-request": 960,
  report: 600,
  review: 420,
  runtime: 100,
  sandbox: 1_840,
  "scripted-model": 320,
  "skill-servers": 340,
  spending: 500,
  tools: 7_560,
  trust: 1_000,
  tui: 1_040,
  vcs: 2_840,
  workspace: 7_120,
  worktrees: 2_120,
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
