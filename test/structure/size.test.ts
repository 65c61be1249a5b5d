import ts from "typescript";
import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** What `src` may hold, and the lines of each room (a folder or a file of `src`); these numbers only go down (rounded up to the next 20). */
const BUDGET: Readonly<Record<string, number>> = {
  "all lines": 67_180,
  "all files": 600,
  "characters of regular expressions": 14_340,
  agents: 1_080,
  briefing: 340,
  checks: 3_140,
  cli: 4_220,
  commands: 1_420,
  commit: 900,
  composition: 560,
  config: 1_920,
  context: 960,
  contracts: 420,
  conversation: 14_300,
  delegation: 2_760,
  extras: 4_740,
  hooks: 980,
  host: 3_000,
  index: 20,
  lib: 2_440,
  plan: 6_540,
  plugin: 60,
  policy: 1_440,
  process: 1_100,
  project: 360,
  record: 5_220,
  report: 560,
  runtime: 100,
  sandbox: 1_860,
  "scripted-model": 300,
  snapshot: 3_280,
  spending: 460,
  tools: 620,
  trust: 900,
  tui: 920,
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
