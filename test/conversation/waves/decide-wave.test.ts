import { describe, expect, it } from "vitest";
import {
  decideClosing,
  decideOpening,
  refuseWaveId,
  type WaveFacts,
  type WaveTask,
} from "../../../src/conversation/waves/decide-wave.ts";
import type { Refusal } from "../../../src/lib/error.ts";
import { claimWave, endWave } from "../../../src/record/workspace.ts";

const OPEN = claimWave([], "w1", "root");
const task = (failure: string | null): readonly WaveTask[] => [
  { call: "c", agent: "hephaestus", edits: true, wave: "w1", unit: "unit", failure },
];
const busy = task(null);
const failed = task("hephaestus failed (no access)");
const facts = (rest: Partial<WaveFacts> = {}): WaveFacts => ({
  wave: "w1",
  unit: "unit",
  root: "root",
  current: { id: "w1", workUnit: "unit" },
  ledger: OPEN,
  mode: "autopilot",
  pause: null,
  tasks: [],
  gone: new Set(),
  ...rest,
});
/** Without a plan that shows its tasks to hold, and nobody to overlook anything. */
const closing = (rest: Partial<WaveFacts>): { readonly kind: "allowed" } | Refusal => {
  const decision = decideClosing(facts(rest));
  return decision.kind === "refused" ? decision : (decision.refusal ?? { kind: "allowed" });
};
const opening = (rest: Partial<WaveFacts> = {}) => decideOpening(facts({ gone: new Set(["lost"]), ...rest }));
const reasonOf = (decision: { kind: string; reason?: string } | null): string =>
  decision?.reason ?? "allowed";

describe("a wave is opened", () => {
  it.each<[string, Partial<WaveFacts>, string]>([
    ["new", { wave: "w2", current: null, ledger: [] }, "allowed"],
    ["again by its own conversation", {}, "allowed"],
    [
      "that a conversation left which is gone",
      { ledger: claimWave([], "w1", "lost"), current: null },
      "allowed",
    ],
    ["of another conversation", { ledger: claimWave([], "w1", "other"), current: null }, "open in another"],
    [
      "that is complete",
      { wave: " W1", ledger: endWave(OPEN, "w1", "complete") },
      "no name of a wave is used twice",
    ],
    ["that was left behind", { ledger: endWave(OPEN, "w1", "left") }, "was left behind"],
    ["in a locked session", { mode: "locked" }, "the session is locked"],
    ["without a name", { wave: "" }, "is no name of a wave"],
    [
      "beside work that runs",
      { wave: "w2", tasks: busy },
      "hephaestus still works in wave w1, which is open",
    ],
    ["beside work that failed", { wave: "w2", tasks: failed }, "allowed"],
  ])("%s", (_name, rest, reason) => {
    expect(reasonOf(opening(rest))).toContain(reason);
  });

  it("never at a pause, and tells what it leaves", () => {
    expect(reasonOf(opening({ pause: { reason: "batch", detail: "" } }))).toContain("check-in due");
    expect(reasonOf(opening({ pause: { reason: "blocked", detail: "no access." } }))).toContain(
      "BLOCKED (no access.)",
    );
    expect(opening({ wave: "w2" })).toEqual({ kind: "allowed", leaves: "w1" });
    expect(opening({ wave: "w2", tasks: failed })).toMatchObject({
      leaves: "w1 (hephaestus failed (no access))",
    });
  });
});

describe("a wave is closed", () => {
  it.each<[string, Partial<WaveFacts>, string]>([
    ["open and at rest", {}, "allowed"],
    ["by another spelling", { wave: "W1" }, "allowed"],
    ["that was never opened", { current: null, ledger: [] }, "not open. No wave is open here."],
    ["while another one is open", { wave: "w9" }, "w9 of unit is not open. Open is wave w1 of unit."],
    ["of another unit", { unit: "two", ledger: [] }, "w1 of two is not open. Open is wave w1 of unit."],
    ["twice", { ledger: endWave(OPEN, "w1", "complete") }, "is complete"],
    [
      "of another conversation",
      { ledger: claimWave([], "w1", "other") },
      "open in another conversation (other)",
    ],
    ["while somebody works", { tasks: busy }, "hephaestus still works in wave w1"],
    ["after a failure", { tasks: failed }, "hephaestus failed (no access)"],
    [
      "after a failure in another wave",
      { tasks: failed.map((each) => ({ ...each, wave: "w0" })) },
      "allowed",
    ],
  ])("%s", (_name, rest, reason) => {
    expect(reasonOf(closing(rest))).toContain(reason);
  });

  it("against what failed only with proof, or by the user, who is told of it", () => {
    expect(decideClosing(facts({ tasks: failed, mode: "supervised" }))).toEqual({
      kind: "allowed",
      failed: "hephaestus failed (no access)",
      refusal: null,
    });
  });
});

describe("a delegation names the open wave", () => {
  it.each<[string, Partial<WaveFacts>, string]>([
    ["as it is", {}, "allowed"],
    ["another one", { wave: "w9" }, "w9 of unit is not open. Open is wave w1 of unit."],
    ["for another unit", { unit: "two" }, "w1 of two is not open"],
    ["none being open", { current: null }, "not open. No wave is open here."],
    ["one that is over", { current: null, ledger: endWave(OPEN, "w1", "complete") }, "is over"],
    [
      "one that was closed where this process did not see it",
      { ledger: endWave(OPEN, "w1", "complete") },
      "is over",
    ],
  ])("%s", (_name, rest, reason) => {
    expect(reasonOf(refuseWaveId(facts(rest)))).toContain(reason);
  });
});
