import { describe, expect, it } from "vitest";
import {
  decideContinuation,
  type TurnEnd,
} from "../../../src/conversation/continuation/decide-continuation.ts";

const OPEN: TurnEnd = {
  openTodos: 2,
  openTasks: 1,
  startedBy: "user",
  worked: true,
  stoppedByUser: false,
  waitsForHuman: false,
  blocked: false,
  running: 0,
  nudges: 0,
  asksUser: false,
};

describe("decideContinuation", () => {
  it("sends her on with what is open", () => {
    expect(decideContinuation(OPEN)).toEqual({
      kind: "nudge",
      text: "Still open: 2 todos and 1 plan task. Go on, or say why you stop.",
    });
    expect(decideContinuation({ ...OPEN, openTodos: 0, startedBy: "result", nudges: 1 })).toMatchObject({
      text: expect.stringContaining("open: 1 plan task."),
    });
  });

  it.each<[string, Partial<TurnEnd>]>([
    ["nothing is open", { openTodos: 0, openTasks: 0 }],
    ["the user stopped the run", { stoppedByUser: true }],
    ["it was no work", { worked: false }],
    ["a human is asked", { waitsForHuman: true }],
    ["the work is blocked", { blocked: true }],
    ["she asked the user", { asksUser: true }],
    ["delegations are running", { running: 1 }],
    ["the turn came from a nudge", { startedBy: "nudge" }],
    ["nudged often enough", { nudges: 2 }],
  ])("is silent when %s", (why, change) => {
    expect(decideContinuation({ ...OPEN, ...change })).toEqual({ kind: "silent", why });
  });
});
