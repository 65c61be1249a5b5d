import ts from "typescript";
import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** What `src` may hold, and the lines of each room (a folder or a file of `src`); these numbers only go down (rounded up to the next 20). */
const BUDGET: Readonly<Record<string, number>> = {
  "all lines": 63_220,
  "all files": 560,
  "characters of regular expressions": 12_840,
  agents: 1_080,
  briefing: 360,
  checks: 2_840,
  cli: 3_600,
  commands: 1_340,
  commit: 900,
  composition: 540,
  config: 1_760,
  context: 900,
  contracts: 420,
  conversation: 12_820,
  delegation: 2_720,
  extras: 5_200,
  hooks: 980,
  host: 3_000,
  index: 20,
  lib: 2_460,
  plan: 6_580,
  plugin: 60,
  policy: 1_440,
  process: 1_000,
  project: 340,
  record: 4_820,
  report: 460,
  runtime: 120,
  sandbox: 1_860,
  "scripted-model": 300,
  snapshot: 2_860,
  spending: 400,
  tools: 620,
  trust: 820,
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
