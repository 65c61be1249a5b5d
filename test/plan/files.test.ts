import { describe, expect, it } from "vitest";
import { isNamed } from "../../src/plan/files.ts";
import { findPlanProblems } from "../../src/plan/problems.ts";
import { readCases } from "../support/cases.ts";

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
  it.each(readCases<[name: string, tasks: string[], shared: string]>("plan/shared-files"))(
    "%s",
    (_name, tasks, shared) => {
      const { faults } = findPlanProblems(plan(...tasks), { agents: AGENTS });
      const said = shared.replace(" 1", " is planned for tasks 1");
      expect(faults).toEqual(shared === "" ? [] : [`${said} of wave 1`]);
    },
  );
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
