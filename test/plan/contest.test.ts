import { describe, expect, it } from "vitest";
import { isGiven, rank, type Trial } from "../../src/plan/run/contest.ts";
import type { TreeChange } from "../../src/snapshot/version.ts";
import { readCases } from "../support/cases.ts";

type Change = "made" | "changed" | "taken away";
const change = (path: string, what: Change = "changed"): TreeChange => ({
  path,
  before: { id: what === "made" ? "" : "a", mode: "100644" },
  after: { id: what === "taken away" ? "" : "b", mode: "100644" },
});

describe("what a candidate has changed", () => {
  const sort = (path: string, what: Change, files: string[] | undefined, folder = "") =>
    isGiven(change(path, what), files, folder) ? "judged" : "left out";

  it.each(readCases<[path: string, what: Change, expected: string]>("plan/given-changes"))(
    "where the plan gives it src/main.ts: %s, %s, is %s",
    (path, what, expected) => {
      expect(sort(path, what, ["src/main.ts"])).toBe(expected);
      expect(sort(`app/${path}`, what, ["src/main.ts"], "app")).toBe(expected);
      expect(sort(`other/${path}`, what, ["src/main.ts"], "app")).toBe("left out");
    },
  );

  it.each<[path: string, what: Change, expected: string]>([
    ["src/other.ts", "changed", "judged"],
    ["test/new.test.ts", "made", "judged"],
    ["test/main.test.ts", "changed", "left out"],
    ["test/main.test.ts", "taken away", "left out"],
  ])("where the plan names no files: %s, %s, is %s", (path, what, expected) => {
    expect(sort(path, what, undefined)).toBe(expected);
  });

  it("is a test that is there, where the plan names that very file", () => {
    expect(sort("test/main.test.ts", "changed", ["src/main.ts", "test/main.test.ts"])).toBe("judged");
  });
});

describe("the ranking", () => {
  const trial = (lines: number, fails: string[] = []): Trial => ({ fails, lines });

  it.each<[name: string, all: Trial[], passing: number[]]>([
    ["the smallest change first", [trial(3), trial(1), trial(2)], [1, 2, 0]],
    ["none that fails what another passes", [trial(1, ["a"]), trial(2)], [1]],
    ["none that fails what all of them fail", [trial(2, ["a"]), trial(1, ["a", "b"])], []],
  ])("lets pass %s", (_name, all, passing) => {
    const ranking = rank(all);
    expect(ranking.passing).toEqual(passing.map((at) => all[at]));
    expect(ranking.passing.length + ranking.others.length).toBe(all.length);
  });
});
