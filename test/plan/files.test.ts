import { describe, expect, it } from "vitest";
import { isNamed } from "../../src/plan/files.ts";
import { findPlanProblems } from "../../src/plan/problems.ts";

const AGENTS = new Map([
  ["builder", { mutates: true }],
  ["reader", { mutates: false }],
]);
const plan = (...tasks: readonly string[]): string =>
  `## Tasks\n\n${tasks
    .map((each, at) => `- [ ] ${at + 1}. ${each.replaceAll("; ", "\n  - ")}`)
    .map((each) => (each.includes("agent:") ? each : `${each}\n  - agent: builder`))
    .join("\n")}\n`;

describe("files of two tasks of one wave", () => {
  it.each<[name: string, tasks: readonly string[], shared: string]>([
    ["by one name", ["a; wave: 1; files: x.ts", "b; wave: 1; files: ./x.ts"], "x.ts 1 and 2"],
    ["in a folder", ["a; wave: 1; files: src/", "b; wave: 1; files: src/x.ts"], "src/x.ts 1 and 2"],
    ["in a glob", ["a; wave: 1; files: src/x.ts", "b; wave: 1; files: src/*.ts"], "src/x.ts 1 and 2"],
    [
      "by detours",
      ["a; wave: 1; files: src//x.ts", "b; wave: 1; files: lib/../src/x.ts"],
      "src/x.ts 1 and 2",
    ],
    ["in the whole project", ["a; wave: 1; files: .", "b; wave: 1; files: src/x.ts"], "src/x.ts 1 and 2"],
    [
      "in two globs",
      ["a; wave: 1; files: src/**/*.test.ts", "b; wave: 1; files: src/lib/**"],
      "src/**/*.test.ts 1 and 2",
    ],
    [
      "in two lists",
      ["a; wave: 1; files: src/{x,y}.ts", "b; wave: 1; files: src/{y,z}.ts"],
      "src/{y,z}.ts 1 and 2",
    ],
    ["in a set", ["a; wave: 1; files: src/[xy].ts", "b; wave: 1; files: src/x.ts"], "src/x.ts 1 and 2"],
    [
      "in a folder of a glob",
      ["a; wave: 1; files: lib/*", "b; wave: 1; files: lib/a/x.ts"],
      "lib/a/x.ts 1 and 2",
    ],
    ["in globs apart", ["a; wave: 1; files: src/*.ts", "b; wave: 1; files: src/*.css, test/*.ts"], ""],
    [
      "in one that ends alike",
      ["a; wave: 1; files: a*c.ts", "b; wave: 1; files: ab*.ts, *d.ts"],
      "ab*.ts 1 and 2",
    ],
    [
      "in backticks",
      ["a; wave: 1; files: `my x.ts`, y.ts", "b; wave: 1; files: `my x.ts`"],
      "my x.ts 1 and 2",
    ],
    ["with one word of two names", ["a; wave: 1; files: `my x.ts`", "b; wave: 1; files: `your x.ts`"], ""],
    ["of three", ["a; wave: 1; files: x", "b; wave: 1; files: x", "c; wave: 1; files: x"], "x 1 and 2 and 3"],
    ["of two waves", ["a; wave: 1; files: x.ts", "b; wave: 2; files: x.ts"], ""],
    ["without a wave", ["a; files: x.ts", "b; files: x.ts"], ""],
    ["that only sound alike", ["a; wave: 1; files: src/x.ts", "b; wave: 1; files: src/x.tsx, x"], ""],
    ["of a reader", ["a; wave: 1; files: x.ts", "b; wave: 1; agent: reader; files: x.ts"], ""],
  ])("%s", (_name, tasks, shared) => {
    const { faults } = findPlanProblems(plan(...tasks), { agents: AGENTS });
    const said = shared.replace(" 1", " is planned for tasks 1");
    expect(faults).toEqual(shared === "" ? [] : [`${said} of wave 1`]);
  });
});

describe("a file that a plan names", () => {
  it.each([
    [["src/a.ts"], "src/a.ts", true],
    [["./src/"], "src/api/a.ts", true],
    [["src/*.ts"], "src/a.ts", true],
    [["src/*.ts"], "src/api/a.ts", false],
    [["src/**"], "src/api/a.ts", true],
    [["app/[id]/page.tsx"], "app/[id]/page.tsx", true],
    [["src/limit.ts"], "test/limit.test.ts", true],
    [["lib/limit.py"], "tests/test_limit.py", true],
    [["server.go"], "server_test.go", true],
    [["src/limit.ts"], "test/other.test.ts", false],
    [["src/a.ts"], "src/a.tsx", false],
    [[], "src/a.ts", false],
  ])("%j and %s: %s", (planned, path, named) => {
    expect(isNamed(planned, path)).toBe(named);
  });
});
