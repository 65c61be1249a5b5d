import { describe, expect, it } from "vitest";
import { expectedFiles, sharedFiles } from "../../../src/workspace/documents/plan-files.ts";
import { parsePlan } from "../../../src/workspace/documents/plan.ts";

const plan = (...tasks: readonly string[]) =>
  parsePlan(`## Tasks\n\n${tasks.map((each) => `- [ ] ${each.replaceAll("; ", "\n  - ")}`).join("\n")}\n`)
    .tasks;

describe("files of two tasks of one wave", () => {
  it.each<[name: string, tasks: readonly string[], shared: string]>([
    ["by one name", ["a; wave: 1; files: x.ts", "b; wave: 1; files: ./x.ts"], "x.ts 1,2"],
    ["in a folder", ["a; wave: 1; files: src/", "b; wave: 1; files: src/x.ts"], "src/x.ts 1,2"],
    ["in a glob", ["a; wave: 1; files: src/x.ts", "b; wave: 1; files: src/*.ts"], "src/x.ts 1,2"],
    ["by detours", ["a; wave: 1; files: src//x.ts", "b; wave: 1; files: lib/../src/x.ts"], "src/x.ts 1,2"],
    ["with a line", ["a; wave: 1; files: x.ts#L3-L9", "b; wave: 1; files: x.ts:12"], "x.ts 1,2"],
    ["in the whole project", ["a; wave: 1; files: .", "b; wave: 1; files: src/x.ts"], "src/x.ts 1,2"],
    [
      "in two globs",
      ["a; wave: 1; files: src/**/*.test.ts", "b; wave: 1; files: src/lib/**"],
      "src/**/*.test.ts 1,2",
    ],
    [
      "in two lists",
      ["a; wave: 1; files: src/{x,y}.ts", "b; wave: 1; files: src/{y,z}.ts"],
      "src/{y,z}.ts 1,2",
    ],
    ["in a set", ["a; wave: 1; files: src/[xy].ts", "b; wave: 1; files: src/x.ts"], "src/x.ts 1,2"],
    [
      "in a folder of a glob",
      ["a; wave: 1; files: lib/*", "b; wave: 1; files: lib/a/x.ts"],
      "lib/a/x.ts 1,2",
    ],
    ["in globs apart", ["a; wave: 1; files: src/*.ts", "b; wave: 1; files: src/*.css, test/*.ts"], ""],
    [
      "in one that ends alike",
      ["a; wave: 1; files: a*c.ts", "b; wave: 1; files: ab*.ts, *d.ts"],
      "ab*.ts 1,2",
    ],
    ["with words between", ["a; wave: 1; files: x.ts and y.ts", "b; wave: 1; files: z.ts and w.ts"], ""],
    ["marked differently", ["a; wave: 1; new: x.ts", "b; wave: 1; edit: `x.ts`"], "x.ts 1,2"],
    [
      "in quotes",
      ["a; wave: 1; files: `my x.ts` (new), y.ts", 'b; wave: 1; files: "my x.ts"'],
      "my x.ts 1,2",
    ],
    ["with one word of two names", ["a; wave: 1; files: `my x.ts`", "b; wave: 1; files: `your x.ts`"], ""],
    ["of three", ["a; wave: 1; files: x", "b; wave: 1; files: x", "c; wave: 1; files: x"], "x 1,2,3"],
    ["of two waves", ["a; wave: 1; files: x.ts", "b; wave: 2; files: x.ts"], ""],
    ["without a wave", ["a; files: x.ts", "b; files: x.ts"], ""],
    ["that only sound alike", ["a; wave: 1; files: src/x.ts", "b; wave: 1; files: src/x.tsx, x"], ""],
    ["of a reader", ["a; wave: 1; files: x.ts", "b; wave: 1; agent: reader; files: x.ts"], ""],
  ])("%s", (_name, tasks, shared) => {
    const found = sharedFiles(plan(...tasks), ({ agent }) => agent !== "reader");
    expect(found.map(({ path, tasks: numbers }) => `${path} ${numbers.join(",")}`).join("; ")).toBe(shared);
  });
});

describe("files that have to be there", () => {
  it.each<[name: string, tasks: readonly string[], expected: readonly string[]]>([
    ["by a mark", ["a; files: x.ts (modify), y.ts"], ["x.ts"]],
    ["by a remark", ["a; files: x.ts (to be changed), y.ts (new file), z.ts (M)"], ["x.ts", "z.ts"]],
    ["with words between", ["a; modify: x.ts and y.ts"], ["x.ts", "y.ts"]],
    ["behind an arrow", ["a; files: x.ts → modified"], ["x.ts"]],
    ["by a key", ["a; modify: x.ts, y.ts; new: z.ts"], ["x.ts", "y.ts"]],
    ["by what is done with the only one", ["Fix the clock; files: x.ts"], ["x.ts"]],
    ["by what is done with one of them", ["Refactor x.ts; files: x.ts, x.test.ts"], ["x.ts"]],
    ["not where something is made", ["Fix the clock in a new module; files: x.ts"], []],
    ["not where the plan does not say", ["The clock; files: x.ts"], []],
    ["not what another task makes", ["Write x; files: x.ts", "Extend x.ts; files: x.ts"], []],
    ["not a glob", ["Fix all; files: src/*.ts"], []],
  ])("%s", (_name, tasks, expected) => {
    expect(expectedFiles(plan(...tasks)).map(({ path }) => path)).toEqual(expected);
  });
});

describe("what is said of files", () => {
  const read = (value: string) => {
    const [task] = plan(`a; files: ${value}`);
    return [task?.files ?? [], task?.made ?? [], task?.details ?? ""];
  };

  it.each<[value: string, files: readonly string[], made?: readonly string[]]>([
    ["none", []],
    ["-", []],
    ["src/**/*.ts and test/", ["src/**/*.ts", "test/"]],
    ["a.ts & b.ts + c.ts → d.ts", ["a.ts", "b.ts", "c.ts", "d.ts"]],
    ["[src/a.ts](src/a.ts), [b.ts](../b.ts#L3)", ["src/a.ts", "b.ts"]],
    ['["a.ts", "b.ts"]', ["a.ts", "b.ts"]],
    ["[a.ts, b.ts]", ["a.ts", "b.ts"]],
    ["<a.ts>, b.ts", ["a.ts", "b.ts"]],
    ["a.ts (create new file), b.ts (to be created)", ["a.ts", "b.ts"], ["a.ts", "b.ts"]],
    ["`a.ts`: new, `b.ts` — new", ["a.ts", "b.ts"], ["a.ts", "b.ts"]],
    ["new: a.ts, b.ts", ["a.ts", "b.ts"], ["a.ts", "b.ts"]],
    ["app/(auth)/page.tsx, app/[id]/page.tsx", ["app/(auth)/page.tsx", "app/[id]/page.tsx"]],
    ["`my - own (x).ts`, b.ts", ["my - own (x).ts", "b.ts"]],
    ["a.ts - b.ts", ["a.ts", "b.ts"]],
    ["src test docs Makefile", ["src", "test", "docs", "Makefile"]],
  ])("names of %s the files alone", (value, files, made = []) => {
    expect(read(value)).toEqual([files, made, ""]);
  });

  it.each<[value: string, files: readonly string[]]>([
    ["src/a.ts (lines 10-20), src/b.ts — the parser", ["src/a.ts", "src/b.ts"]],
    ["the parser in src/a.ts, and its tests", ["src/a.ts"]],
    ["all related files", []],
    ["none (only looks)", []],
    ["a.ts (if needed)", ["a.ts"]],
    ["a.ts: the rule (not new)", ["a.ts"]],
  ])("keeps other words for who works on it: %s", (value, files) => {
    expect(read(value)).toEqual([files, [], `files: ${value}`]);
  });
});
