import ts from "typescript";
import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** What `src` may hold, and the lines of each room (a folder or a file of `src`); these numbers only go down. */
const BUDGET: Readonly<Record<string, number>> = {
  "all lines": 93_104,
  "all files": 1_148,
  "characters of regular expressions": 100_618,
  agents: 1_134,
  checks: 3_719,
  cli: 5_553,
  code: 2_793,
  commands: 1_663,
  composition: 522,
  config: 1_998,
  context: 1_021,
  contracts: 1_667,
  conversation: 17_929,
  delegation: 3_087,
  editing: 1_971,
  hooks: 1_393,
  host: 2_912,
  index: 6,
  knowledge: 1_443,
  lib: 1_277,
  memory: 2_749,
  plugin: 60,
  policy: 13_351,
  process: 663,
  project: 358,
  "pull-request": 940,
  report: 594,
  review: 402,
  runtime: 97,
  sandbox: 1_751,
  "scripted-model": 302,
  "skill-servers": 335,
  spending: 496,
  tools: 7_422,
  trust: 994,
  tui: 1_015,
  vcs: 2_375,
  workspace: 7_011,
  worktrees: 2_101,
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
