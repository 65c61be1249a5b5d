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
  it.each(readCases<[planned: string[], path: string, named: boolean]>("plan/named-files"))(
    "%j and %s: %s",
    (planned, path, named) => {
      expect(isNamed(planned, path)).toBe(named);
    },
  );
});
