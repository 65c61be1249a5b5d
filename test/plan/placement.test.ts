import { expect, it } from "vitest";
import { decidePlacement, isAtHome } from "../../src/plan/lanes/place.ts";

type Placed = Parameters<typeof decidePlacement>;

it.each<[editing: Placed[0], mode: Placed[1]["mode"], rest: Partial<Placed[1]>, want: string | null]>([
  [2, "auto", {}, "apart"],
  [1, "auto", {}, null],
  [1, "always", {}, "apart"],
  [0, "always", {}, null],
  [9, "off", {}, null],
  [2, "auto", { isStepwise: true }, "each step is looked at"],
  [2, "auto", { ruled: "artemis" }, "permissions of artemis name paths"],
  ["asked", "off", {}, "apart"],
  ["asked", "auto", { isStepwise: true }, "apart"],
  ["asked", "auto", { ruled: "artemis" }, "permissions of artemis name paths"],
])("where work is done %j, mode %s, %j: %s", (editing, mode, rest, want) => {
  const placement = decidePlacement(editing, { mode, isStepwise: false, ruled: null, ...rest });
  expect(placement === "apart" ? placement : placement.why).toBe(want);
});

it("where work is done is the branch of a unit where its work stands there, or who edits begins there", () => {
  expect(isAtHome({ land: "worktree" }, false)).toBe(false);
  expect(isAtHome({ land: "branch" }, false)).toBe(true);
  expect(isAtHome({ land: "branch" }, false, false)).toBe(false);
  expect(isAtHome({ land: "worktree" }, true, false)).toBe(true);
});
