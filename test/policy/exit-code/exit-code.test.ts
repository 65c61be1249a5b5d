import { describe, expect, it } from "vitest";
import { judgeExitCode } from "../../../src/policy/exit-code/judge.ts";
import { HOLLOW, PROVING, STEERED, UNSTEERED, WORLD } from "./commands.ts";

const judge = (command: string) =>
  judgeExitCode(command, "/p", {
    project: "/p",
    readScript: (path) => WORLD[path.replace(/^\/p\//, "")],
    listFolders: () => [],
  });

describe("a command that cannot fail by what it looks at", () => {
  it.each(HOLLOW)("proves nothing: %s", (command) => {
    expect(judge(command).hollow).toMatch(/\w/);
  });
});

describe("a command beside settings", () => {
  it.each(STEERED)("may run something else: %s", (command) => {
    expect(judge(command).steered).toMatch(/^it sets \w+/);
  });

  it.each(UNSTEERED)("is what it was: %s", (command) => {
    expect(judge(command).steered).toBeNull();
  });
});

describe("a command that can fail", () => {
  it.each(PROVING)("is a proof where it passes: %s", (command) => {
    expect(judge(command).hollow).toBeNull();
  });

  it("comes with what it runs, so that another script is another check", () => {
    expect(judge("npm run lint").recipe).toEqual(["lint: eslint ."]);
    expect(judge("npm run by-file").recipe).toEqual(["by-file: node verify.mjs"]);
    expect(judge("bash check.sh").recipe).toContain("test: node --test");
  });

  it.each([
    ["false", false],
    ["echo broken; false", false],
    ["exit 1", false],
    ["npm test && false", false],
    ["npm test", true],
    ["npm test || exit 1", true],
  ])("passes on some files or on none: %s", (command, canPass) => {
    expect(judge(command).canPass).toBe(canPass);
  });

  it("is judged in bounded time, however it is nested", () => {
    expect(judge(`${"( ".repeat(60)}true${" )".repeat(60)}`).hollow).toMatch(/\w/);
    expect(judge("echo a; ".repeat(3_000)).hollow).toMatch(/\w/);
    expect(judge("npm run loop").hollow).toMatch(/\w/);
  });
});
