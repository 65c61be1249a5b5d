import { expect, test } from "vitest";
import { type Activity, renderActivity } from "../../../src/conversation/collaboration/activity.ts";

const IN = ["live", "checkpoint", "quiet"] as const;

test.each<[string, Activity, shown: string, toasted: string]>([
  ["a call", { kind: "tool", line: "x" }, "live", "live"],
  ["a beginning", { kind: "begun", line: "x" }, "live", "live"],
  ["a good end", { kind: "ended", line: "x", isLoud: true }, "live checkpoint", "live"],
  ["a bad end", { kind: "ended", line: "x", tone: "error", isLoud: true }, IN.join(" "), IN.join(" ")],
  ["a stop of the user's", { kind: "ended", line: "x", tone: "error" }, IN.join(" "), ""],
  ["a refusal", { kind: "refused", line: "x", tone: "warning" }, IN.join(" "), ""],
  ["a wave", { kind: "wave", line: "x" }, "live checkpoint", "live checkpoint"],
  ["a milestone", { kind: "milestone", line: "x" }, IN.join(" "), IN.join(" ")],
])(
  "%s is shown as the visibility says, and toasted where nobody knows yet",
  (_name, activity, shown, toasted) => {
    const rendered = IN.map((visibility) => [visibility, renderActivity(activity, visibility)] as const);
    const where = (is: (each: ReturnType<typeof renderActivity>) => boolean): string =>
      rendered.flatMap(([visibility, each]) => (is(each) ? [visibility] : [])).join(" ");
    expect(where((each) => each !== null)).toBe(shown);
    expect(where((each) => (each?.toast ?? null) !== null)).toBe(toasted);
  },
);

test("that work began stands in no transcript, for its row does", () => {
  expect(renderActivity({ kind: "begun", line: "hades started" }, "live")?.inTranscript).toBe(false);
});
