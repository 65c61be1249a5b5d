import { describe, expect, it } from "vitest";
import { decidePlacement, isAtHome, type PlacedWork } from "../../src/plan/lanes/place.ts";
import { readCases } from "../support/cases.ts";

type Rules = Parameters<typeof decidePlacement>[1];

describe("where work is done", () => {
  // A session goes on where it is, asked for again or not. Candidates are told apart in worktrees alone.
  it.each(readCases<[PlacedWork, Rules, string | null]>("plan/placements"))(
    "%j by %j: %s",
    (work, rules, want) => {
      const placement = decidePlacement(work, rules);
      expect(placement === "apart" ? placement : placement.why).toBe(want);
    },
  );

  it("is the branch of a unit where its work stands there, or who edits begins there", () => {
    expect(isAtHome({ land: "worktree" }, false)).toBe(false);
    expect(isAtHome({ land: "branch" }, false)).toBe(true);
    expect(isAtHome({ land: "branch" }, false, false)).toBe(false);
    expect(isAtHome({ land: "worktree" }, true, false)).toBe(true);
  });
});
