import ts from "typescript";
import { expect, it } from "vitest";
import { readSources } from "./imports.ts";

/** What `src` may hold, and the lines of each room (a folder or a file of `src`); these numbers only go down (rounded up to the next 20). */
const BUDGET: Readonly<Record<string, number>> = {
  "all lines": 57_720,
  "all files": 520,
  "characters of regular expressions": 10_740,
  agents: 1_000,
  briefing: 340,
  checks: 2_340,
  cli: 2_920,
  commands: 1_260,
  commit: 880,
  composition: 540,
  config: 1_600,
  context: 820,
  contracts: 380,
  conversation: 12_320,
  delegation: 2_460,
  extras: 4_480,
  hooks: 940,
  host: 2_800,
  index: 20,
  lib: 2_080,
  plan: 5_920,
  plugin: 60,
  policy: 1_340,
  process: 980,
  project: 320,
  record: 4_160,
  report: 520,
  runtime: 120,
  sandbox: 1_760,
  "scripted-model": 300,
  snapshot: 2_720,
  spending: 360,
  tools: 620,
  trust: 760,
  tui: 760,
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
