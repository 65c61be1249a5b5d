import { describe, expect, test } from "vitest";
import { type Activity, renderActivity } from "../../../src/conversation/collaboration/activity.ts";

const edited: Activity = {
  kind: "tool",
  agent: "hephaestus",
  tool: "edit",
  target: "src/a.ts",
  failed: false,
  added: 3,
  removed: 1,
};

describe("one line per event", () => {
  const ended: Activity = { kind: "ended", line: "✓ hades › Look · 3 s", tone: "info", isLoud: true };
  test.each<[Activity, string | null, string | null, string | null]>([
    [edited, "hephaestus · edit src/a.ts +3 −1", null, null],
    [
      { kind: "tool", agent: "aether", tool: "bash", target: "npm test", failed: false, exitCode: 1 },
      "aether · bash npm test → exit 1",
      null,
      null,
    ],
    [
      { kind: "tool", agent: "aether", tool: "read", target: "", failed: true },
      "aether · read failed",
      null,
      null,
    ],
    [{ kind: "begun", agent: "hades" }, "hades started", null, null],
    [ended, ended.line, ended.line, null],
    [{ ...ended, tone: "error" }, ended.line, ended.line, ended.line],
    [{ kind: "refused", line: "✗ no", isLoud: false }, "✗ no", "✗ no", "✗ no"],
    [{ kind: "wave", wave: "w1" }, "Wave w1 completed", "Wave w1 completed", null],
    [{ kind: "milestone", text: "All checks pass" }, "All checks pass", "All checks pass", "All checks pass"],
  ])("%j", (activity, live, checkpoint, quiet) => {
    expect(renderActivity(activity, "live")?.line ?? null).toBe(live);
    expect(renderActivity(activity, "checkpoint")?.line ?? null).toBe(checkpoint);
    expect(renderActivity(activity, "quiet")?.line ?? null).toBe(quiet);
  });

  test("what went well is toasted where the user watches, what did not everywhere, what they stopped nowhere", () => {
    const toasts = (activity: Activity) =>
      (["live", "checkpoint", "quiet"] as const).map(
        (visibility) => renderActivity(activity, visibility)?.toast ?? null,
      );
    expect(toasts(ended)).toEqual(["info", null, null]);
    expect(toasts({ ...ended, tone: "error" })).toEqual(["error", "error", "error"]);
    expect(toasts({ ...ended, tone: "error", isLoud: false })).toEqual([null, null, null]);
    expect(toasts({ kind: "refused", line: "no", isLoud: true })).toEqual(["warning", "warning", "warning"]);
    expect(toasts({ kind: "refused", line: "no", isLoud: false })).toEqual([null, null, null]);
  });

  test("that work began stands in no transcript, for its row does", () => {
    expect(renderActivity({ kind: "begun", agent: "hades" }, "live")).toMatchObject({ inTranscript: false });
  });

  test("a long target is cut, how it ended is not", () => {
    const line = renderActivity(
      { ...edited, tool: "bash", target: `echo ${"x\n".repeat(500)}`, exitCode: 2 },
      "live",
    )?.line;
    expect(line?.length).toBeLessThanOrEqual(140);
    expect(line).toMatch(/→ exit 2$/);
    expect(line).not.toContain("\n");
  });
});
