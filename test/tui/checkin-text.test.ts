import { expect, it } from "vitest";
import { checkinText } from "../../src/tui/panel-lines.ts";

it("before the first check-in it is told whether anything has changed, once that is known", () => {
  expect(checkinText("", undefined)).toBe("There was no check-in yet.");
  expect(checkinText("", "")).toBe("There was no check-in yet, and nothing has changed so far.");
  expect(checkinText("", "diff --git")).toBe("There was no check-in yet. Changed so far:");
  expect(checkinText("Check-in (wave)", "diff --git")).toBe("Check-in (wave)");
});
