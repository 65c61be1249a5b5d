import { homedir } from "node:os";
import { describe, expect, it, test } from "vitest";
import { findForbidden } from "../../src/policy/forbidden.ts";
import { parseLine } from "../../src/policy/simple-commands.ts";
import { readCases } from "../support/cases.ts";

const find = (line: string, folder = "/project/a"): string | null => findForbidden(parseLine(line), folder);

describe("what no mode allows", () => {
  test.each([
    ...readCases<string>("policy/forbidden.what-no-mode-allows"),
    `rm -rf ${homedir()}`,
    ...readCases<string>("policy/forbidden.what-no-mode-allows-2"),
  ])("%j", (line) => {
    expect(find(line)).not.toBeNull();
  });

  test.each(readCases<string>("policy/forbidden.not"))("not %j", (line) => {
    expect(find(line)).toBeNull();
  });

  it("holds for what is deleted from where the command runs", () => {
    expect(find("rm -rf *", "/")).not.toBeNull();
    expect(find("rm -rf .", homedir())).not.toBeNull();
    expect(find("rm -rf *", "/project/a")).toBeNull();
  });

  it("refuses a line that is too long or too deep to be read", () => {
    for (const line of [`echo ${"a".repeat(40_000)}`, "coproc ".repeat(4_000), "$(".repeat(16_000)])
      expect(find(line)?.includes("put it in a script") !== false).toBe(true);
    expect(find(`echo ${"a".repeat(40_000)}`)).toContain("put it in a script");
  });

  test.each(["env ", "bash ", "find -exec ", "xargs rm -r ", "timeout 5 env "])(
    "takes a line of %jfor what it is in time",
    (piece) => {
      const start = performance.now();
      find(piece.repeat(Math.floor(30_000 / piece.length)));
      expect(performance.now() - start).toBeLessThan(2_000);
    },
  );
});
