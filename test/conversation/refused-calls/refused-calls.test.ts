import { describe, expect, it } from "vitest";
import type { Activity } from "../../../src/conversation/collaboration/activity.ts";
import { describeRefusal, createRefusedCalls } from "../../../src/conversation/tool-calls/refused-calls.ts";
import { refuse } from "../../../src/lib/refusal.ts";

const HINT = "plan_gaia open_wave first, then pass that wave_id.";

describe("a refused call", () => {
  it.each<[string, object, object, string | null, boolean]>([
    [
      "plan_gaia",
      { op: "complete_wave", wave_id: "w1" },
      refuse("The wave stays open: checks not passed: tests.", HINT),
      "✗ Wave w1 stays open: checks not passed: tests",
      true,
    ],
    [
      "plan_gaia",
      { op: "complete_wave", wave_id: "w1" },
      refuse("Refused: wave w1 of unit is not open.", HINT),
      "✗ Wave w1 stays open: wave w1 of unit is not open",
      true,
    ],
    [
      "plan_gaia",
      { op: "open_wave", wave_id: "w1" },
      { ...refuse("The user said no: not now", HINT), denied: true },
      "✗ Wave w1 is not opened: You said no: not now",
      false,
    ],
    [
      "plan_gaia",
      { op: "create_work_unit", slug: "signup" },
      { ok: false, error: "The record cannot be written: the disk is full; make room on it.", hint: HINT },
      "✗ Work unit signup is not begun: The record cannot be written: the disk is full; make room on it",
      false,
    ],
    [
      "plan_gaia",
      { op: "update_plan", tick: ["1"] },
      { ok: false, error: "The user has refused this plan. Change it first.", hint: HINT },
      "✗ The plan stays as it was: You have refused this plan",
      false,
    ],
    [
      "plan_gaia",
      { op: "run" },
      { ok: false, status: "decision", why: "Task 1 fails. It says: boom", next: HINT },
      "✗ The plan is carried out no further: Task 1 fails",
      true,
    ],
    [
      "plan_gaia",
      { op: "run" },
      { ok: false, status: "user", why: "A check-in is due.", shown: true },
      null,
      false,
    ],
    [
      "plan_gaia",
      { op: "run" },
      { ok: false, status: "user", why: "Task 1, builder asks: which one? Or both?" },
      "✗ The plan is carried out no further: Task 1, builder asks: which one?",
      true,
    ],
    ["plan_gaia", { op: "run" }, refuse("It is being carried out.", HINT, { shown: true }), null, false],
    [
      "plan_gaia",
      { op: "run" },
      { ok: false, status: "user", why: "The user said no.", denied: true },
      "✗ The plan is carried out no further: You said no",
      false,
    ],
    [
      "plan_gaia",
      { op: "explode" },
      { ok: false, error: 'Wrong arguments. op: Invalid option: expected one of "run"|"verify"' },
      "✗ explode was not done: op: Invalid option",
      false,
    ],
    [
      "plan_gaia",
      { op: "append_log" },
      { ok: false, error: "Locked." },
      "✗ append log was not done: Locked",
      false,
    ],
    ["plan_gaia", { op: "verify" }, { ok: false, report: {} }, null, false],
    ["plan_gaia", { op: "complete_wave", wave_id: "w1" }, { ok: true, wave_id: "w1" }, null, false],
    [
      "delegate_gaia",
      { agent: "builder", goal: "Build it" },
      refuse("Refused delegate_gaia: builder changes files and the session is locked.", HINT),
      "✗ builder › Build it · not begun: builder changes files and the session is locked",
      true,
    ],
    [
      "delegate_gaia",
      { agent: "bilder" },
      { status: "failed", ok: false, error: "Wrong arguments. agent: there is no bilder.", message: "" },
      "✗ bilder · not begun: agent: there is no bilder",
      true,
    ],
    ["delegate_gaia", { agent: "builder" }, { status: "failed", session_id: "s", message: "x" }, null, false],
    ["collect_results", {}, refuse("No background task is open."), null, false],
  ])("%s %j is told as a person reads it", (tool, args, result, line, isLoud) => {
    const told = describeRefusal(tool, args, result);
    expect(told?.line ?? null).toBe(line);
    expect(told?.isLoud ?? false).toBe(isLoud);
    expect(told?.line ?? "").not.toContain("wave_id");
  });

  it("stands until work goes on, the first one for those that follow from it", () => {
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

  it("is told once, however often it is asked again, until the user has spoken", () => {
    const shown: Activity[] = [];
    const calls = createRefusedCalls(
      (activity) => void shown.push(activity),
      (text) => text.replace("secret", "[REDACTED]"),
    );
    const ask = (): void => {
      calls.ended("plan_gaia", { op: "open_wave", wave_id: "secret" }, refuse("No."));
    };
    ask();
    ask();
    expect(shown).toEqual([{ kind: "refused", line: "✗ Wave [REDACTED] is not opened: No", isLoud: true }]);
    calls.forget();
    ask();
    expect(shown).toHaveLength(2);
  });
});
