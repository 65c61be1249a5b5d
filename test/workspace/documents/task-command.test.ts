import { describe, expect, it } from "vitest";
import { parsePlan } from "../../../src/workspace/documents/plan.ts";
import { isCommand, readCommand } from "../../../src/workspace/documents/task-command.ts";

describe("a command as people write it", () => {
  it.each([
    ["`npm test` (all green)", "npm test"],
    ["run `npm test` — all green", "npm test"],
    ["**Run:** `npm test`", "npm test"],
    ["``npm test``", "npm test"],
    ['"npm test"', "npm test"],
    ["$ npm test", "npm test"],
    ["npm test (all green)", "npm test"],
    ["npm test — all green", "npm test"],
    ["npm test passes", "npm test"],
    ["npm test exits with 0", "npm test"],
    ["Check that `npm test` passes", "npm test"],
    ["`npm test` prints `ok`", "npm test"],
    ["`npm run lint` and `npm test`", "npm run lint && npm test"],
    ["`npm run lint`, then `npm test` pass", "npm run lint && npm test"],
    ["`npm run lint` && `npm test`", "npm run lint && npm test"],
    ["`a || b`; `c`", "(a || b) && c"],
  ])("%s", (value, command) => {
    expect([readCommand(value), isCommand(readCommand(value))]).toEqual([command, true]);
  });

  it.each([
    "npm test && npm run lint",
    "test -z `git status --porcelain`",
    "(cd a && npm test)",
    "cd a; (npm test)",
    "cd a && (npm test)",
    "FOO=1 npm test -- --grep 'a and b'",
    'node -e "x => (1)"',
    "curl -s localhost | grep ok",
    "npm run a || npm run b",
    "echo $(date)",
    "! grep x y",
    "make green",
    "Rscript tests.R",
  ])("leaves the shell's own marks: %s", (value) => {
    expect([readCommand(value), isCommand(value)]).toEqual([value, true]);
  });

  it.each([
    "All 12 tests pass",
    "All tests pass.",
    "tests pass",
    "Look at it in the browser",
    "manual",
    "none",
    "Ensure `src/a.ts` compiles",
  ])("is none: %s", (value) => {
    expect(isCommand(readCommand(value))).toBe(false);
  });
});

describe("commands in several lines", () => {
  const read = (...lines: string[]) => {
    const [task] = parsePlan(
      `## Tasks\n\n- [ ] 1. Write it\n${lines.map((line) => `  ${line}\n`).join("")}`,
    ).tasks;
    return [task?.verify, task?.details];
  };

  it.each<[name: string, lines: readonly string[], verify: string]>([
    ["a list", ["- verify:", "  - npm run lint", "  - `npm test`"], "npm run lint && npm test"],
    ["a key each", ["- verify: npm run lint", "- verify: npm test"], "npm run lint && npm test"],
    ["the same twice", ["- verify: npm test", "- Verification: `npm test`"], "npm test"],
    [
      "a block",
      ["- verify:", "  ```sh", "  # first", "  npm run lint", "", "  npm test -- \\", "    auth", "  ```"],
      "npm run lint && npm test -- auth",
    ],
    [
      "a session",
      ["- **Verify:**", "  ```console", "  $ npm test", "  12 passed", "  ```", "- skills: x"],
      "npm test",
    ],
  ])("hold all of them: %s", (_name, lines, verify) => {
    expect(read(...lines)).toEqual([verify, ""]);
  });

  it("leave what is none, and what one line of is none, to be read", () => {
    expect(read("- verify: npm test", "- verify: Look at it in the browser")).toEqual([
      "npm test",
      "verify: Look at it in the browser",
    ]);
    expect(read("- verify: Look at the new page", "- verify: npm test")).toEqual([
      "npm test",
      "verify: Look at the new page",
    ]);
    const loop = ["- verify:", "  ```sh", "  for x in a b; do", "    test -f $x", "  done", "  ```"];
    expect(read(...loop)[0]).toBeUndefined();
    expect(read("- verify:", "  ```ts", "  expect(1).toBe(1)", "  ```")[0]).toBeUndefined();
    expect(read("- agent: x", "  ```sh", "  npm test", "  ```")[0]).toBeUndefined();
  });
});
