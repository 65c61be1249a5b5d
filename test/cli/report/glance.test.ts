import { describe, expect, it } from "vitest";
import { NO_AMOUNT } from "../../../src/lib/amount.ts";
import { glance } from "../../../src/report/render.ts";
import { largeUnit } from "./large-unit.ts";

const seen = (rest: Partial<ReturnType<typeof largeUnit>> = {}): Record<string, [string, boolean | null]> =>
  Object.fromEntries(
    glance({ ...largeUnit(), ...rest }, NO_AMOUNT).map(({ name, value, isGood }) => [name, [value, isGood]]),
  );

describe("the first look at a unit", () => {
  it("says how far it is, what shows that it holds, and what went wrong", () => {
    expect(seen()).toEqual({
      Tasks: ["38 of 40 done", null],
      Changed: ["40 files, +40000 −0", null],
      "Checks, last run of each": ["1 of 2 passed", false],
      "Reviews, last of each": ["1 of 1 approve", true],
      Delegations: ["40, 1 not completed", false],
      "From first to last": ["16 min 5 s", null],
      Cost: ["$0.00, 0 tokens, 0 requests", null],
    });
  });

  it("calls nothing good that this user's plugin has not seen, and tells of objections", () => {
    const tasks = largeUnit().tasks.map((task) => ({ ...task, verdict: "REJECT: leaks", files: [] }));
    const { plan } = largeUnit();
    const done = { ...plan, tasks: plan.tasks.map((task) => ({ ...task, done: true })) };
    expect(seen({ isSealed: false, tasks, diff: [], plan: done })).toMatchObject({
      Tasks: ["40 of 40 done", true],
      Changed: ["nothing", null],
      "Checks, last run of each": ["1 of 2 passed *", null],
      "Reviews, last of each": ["4 of 4 object", false],
    });
  });

  it("leaves out what there was nothing of", () => {
    const { plan } = largeUnit();
    expect(Object.keys(seen({ tasks: [], checks: [], diff: [], plan: { ...plan, tasks: [] } }))).toEqual([
      "Changed",
      "Cost",
    ]);
  });
});
