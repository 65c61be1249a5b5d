import { describe, expect, it } from "vitest";
import { decidePlacement, isAtHome, type PlacedWork } from "../../src/plan/lanes/place.ts";

const hand = (given: Partial<PlacedWork["hand"]> = {}, editing = 1): PlacedWork => ({
  editing,
  hand: { agent: "hephaestus", isAsked: true, resumes: null, ...given },
});
const run = (editing: number, isTried = false): PlacedWork => ({ editing, isTried });
const AUTO = { mode: "auto", isStepwise: false, ruled: null } as const;
const OFF = { ...AUTO, mode: "off" } as const;
const STEP = { ...AUTO, isStepwise: true };
const RULED = { ...AUTO, ruled: "artemis" };

describe("where work is done", () => {
  it.each([
    [hand(), AUTO, "apart"],
    [hand(), OFF, null],
    [hand({ isAsked: false }), AUTO, null],
    [hand({ resumes: "project" }), AUTO, "a session stays where it was begun"],
    [hand({}, 0), AUTO, "hephaestus changes nothing"],
    [hand(), STEP, "each step is looked at"],
    [hand(), RULED, "permissions of artemis name paths"],
    // It goes on where it is, whether that was asked for again or not.
    [hand({ isAsked: false, resumes: "worktree" }), STEP, "apart"],
    [hand({ isAsked: false, resumes: "worktree" }), RULED, "permissions of artemis name paths"],
    [hand({ isAsked: false, resumes: "worktree" }), OFF, null],
    [run(2), AUTO, "apart"],
    [run(1), AUTO, null],
    [run(1), { ...AUTO, mode: "always" }, "apart"],
    [run(0), { ...AUTO, mode: "always" }, null],
    [run(9), OFF, null],
    [run(2), STEP, "each step is looked at"],
    [run(2), RULED, "permissions of artemis name paths"],
    // Candidates are told apart in worktrees alone, and the user looks at what they made before it lands.
    [run(1, true), OFF, "apart"],
    [run(1, true), STEP, "apart"],
    [run(1, true), RULED, "permissions of artemis name paths"],
  ] as const)("%j by %j: %s", (work, rules, want) => {
    const placement = decidePlacement(work, rules);
    expect(placement === "apart" ? placement : placement.why).toBe(want);
  });

  it("is the branch of a unit where its work stands there, or who edits begins there", () => {
    expect(isAtHome({ land: "worktree" }, false)).toBe(false);
    expect(isAtHome({ land: "branch" }, false)).toBe(true);
    expect(isAtHome({ land: "branch" }, false, false)).toBe(false);
    expect(isAtHome({ land: "worktree" }, true, false)).toBe(true);
  });
});
