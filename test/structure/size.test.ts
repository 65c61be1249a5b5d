import ts from "typescript";
import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** What `src` may hold, and the lines of each room (a folder or a file of `src`); these numbers only go down (rounded up to the next 20). */
const BUDGET: Readonly<Record<string, number>> = {
  "all lines": 55_700,
  "all files": 480,
  "characters of regular expressions": 10_240,
  agents: 980,
  briefing: 480,
  checks: 2_220,
  cli: 2_700,
  commands: 1_200,
  commit: 840,
  composition: 520,
  config: 1_540,
  context: 800,
  contracts: 360,
  conversation: 10_830,
  delegation: 2_200,
  extras: 4_460,
  hooks: 940,
  host: 2_780,
  index: 20,
  lib: 2_040,
  plan: 5_840,
  plugin: 60,
  policy: 1_320,
  process: 940,
  project: 320,
  record: 4_040,
  report: 480,
  runtime: 100,
  sandbox: 1_680,
  "scripted-model": 280,
  snapshot: 2_660,
  spending: 360,
  tools: 600,
  trust: 740,
  tui: 760,
  "work-tree": 820,
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
