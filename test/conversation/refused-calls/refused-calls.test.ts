import { expect, it } from "vitest";
import { describeRefusal, createRefusedCalls } from "../../../src/conversation/tool-calls/refused-calls.ts";
import { refuse } from "../../../src/lib/error.ts";
import { readCases } from "../../support/cases.ts";

interface RefusedCall {
  readonly tool: string;
  readonly args: object;
  readonly result: object;
  readonly line: string | null;
  readonly isLoud: boolean;
  readonly isSlip?: boolean;
}

it.each(readCases<RefusedCall>("conversation/refused-calls/refused-calls"))(
  "a refused call $tool $args is told as a person reads it",
  ({ tool, args, result, line, isLoud, isSlip = false }) => {
    const told = describeRefusal(tool, args, result);
    expect(told?.line ?? null).toBe(line);
    expect(told?.isLoud ?? false).toBe(isLoud);
    expect(told?.isSlip ?? false).toBe(isSlip);
    expect(told?.line ?? "").not.toContain("wave_id");
  },
);

it("a refused call stands until work goes on, the first one for those that follow from it", () => {
  const calls = createRefusedCalls(
    () => undefined,
    (text) => text,
  );
  const ended = (op: string, result: object): void => calls.ended("plan_gaia", { op }, result);
  ended("read_work_unit", refuse("There is none."));
  expect(calls.standing()).toBeNull();
  ended("open_wave", refuse("No unit."));
  ended("run", { ok: false, status: "user", why: "No wave." });
  ended("run", refuse("It is being carried out.", "", { shown: true }));
  ended("list_work_units", { ok: true });
  expect(calls.standing()).toBe("Wave ? is not opened: No unit");
  ended("open_wave", { ok: true });
  expect(calls.standing()).toBeNull();
  calls.ended("delegate_gaia", { agent: "a" }, refuse("It is locked."));
  expect(calls.standing()).toBe("a · not begun: It is locked");
  calls.forget();
  expect(calls.standing()).toBeNull();
});

it("a refused call is not told of a plan that never began, but stands against the work", () => {
  const shown: string[] = [];
  const calls = createRefusedCalls(
    ({ line }) => void shown.push(line),
    (text) => text,
  );
  calls.ended("plan_gaia", { op: "run" }, { ok: false, error: "The new text is not in the grammar." });
  expect([shown, calls.standing()]).toEqual([
    [],
    "The plan is not begun: The new text is not in the grammar",
  ]);
});
