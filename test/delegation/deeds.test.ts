import { describe, expect, it } from "vitest";
import { addDeed, type Deed, type DeniedBy, NO_DEEDS, weigh } from "../../src/delegation/deeds.ts";
import type { Specialist } from "../../src/delegation/specialist.ts";
import { ended, type TaskOutcome } from "../../src/delegation/task.ts";

const DONE: Deed = { kind: "done" };
const no = (what: string, by: DeniedBy = "user"): Deed => ({ kind: "denied", what, by, words: "" });
const CLAIM = {
  ...ended("completed", ""),
  envelope: { ok: true, errors: [] } as unknown as TaskOutcome["envelope"],
};
const SMITH = { mutates: true, role: "implementer" } as const;

const weighed = (
  deeds: readonly Deed[],
  specialist: Pick<Specialist, "mutates" | "role"> = SMITH,
  outcome: TaskOutcome = CLAIM,
): TaskOutcome => weigh(outcome, deeds.reduce(addDeed, NO_DEEDS), specialist);

describe("what a specialist claims, beside what it was allowed to do", () => {
  it.each<[string, readonly Deed[], Partial<TaskOutcome>]>([
    ["nothing was refused", [DONE], { status: "completed", message: "" }],
    [
      "all was rejected",
      [no("the edit of a.ts"), no("`npm i`")],
      {
        status: "failed",
        message: expect.stringMatching(
          /^The user rejected the edit of a\.ts, `npm i`, and nothing was done\. /,
        ),
      },
    ],
    [
      "the last was rejected",
      [DONE, no("`npm i`")],
      {
        status: "completed",
        isShort: true,
        message: "The user rejected `npm i`, and nothing was done after that.",
      },
    ],
    [
      "it went another way",
      [no("`npm i`"), DONE],
      { status: "completed", message: "The user rejected `npm i`.", denied: "The user rejected `npm i`" },
    ],
    [
      "the same was rejected again and again",
      [1, 2, 3, 4, 5].flatMap((each) => [no(`\`${each}\``), no("`npm i`")]),
      { denied: "The user rejected `1`, `2`, `3` and 3 more" },
    ],
    [
      "a person and the plugin said no",
      [no("`a`", "plugin"), no("`b`"), no("`c`", "rule")],
      { denied: "The user rejected `b`" },
    ],
    ["a rule says no", [no("`a`", "rule")], { denied: "OpenCode's permissions deny `a`" }],
    ["nobody was there", [no("`a`", "nobody")], { denied: "Nobody was there to allow `a`" }],
    ["the plugin says no", [no("`a`", "plugin")], { denied: "The plugin refused `a`" }],
  ])("is weighed where %s", (_name, deeds, outcome) => {
    const { isShort, ...rest } = weighed(deeds);
    expect({ isShort, ...rest }).toMatchObject(outcome);
    expect(isShort).toBe(outcome.isShort);
  });

  it("keeps its own words when it says itself that it failed", () => {
    const failed = {
      ...CLAIM,
      envelope: { ok: false, errors: ["no"] } as unknown as TaskOutcome["envelope"],
    };
    expect(weighed([no("`a`")], SMITH, failed)).toBe(failed);
    const cancelled = ended("cancelled", "It was stopped by hand.");
    expect(weighed([no("`a`")], SMITH, cancelled)).toBe(cancelled);
  });

  it("holds what the user said with their no, whatever came of it", () => {
    const deed: Deed = { kind: "denied", what: "the edit of b.ts", by: "user", words: "use d.ts" };
    const said = 'The user rejected the edit of b.ts ("use d.ts")';
    expect(weighed([deed, DONE]).message).toBe(`${said}.`);
    expect(weighed([deed]).message).toContain(`${said}, and nothing was done.`);
    const envelope = { ok: false, errors: ["no"] } as unknown as TaskOutcome["envelope"];
    expect(weighed([deed], SMITH, { ...CLAIM, envelope }).message).toBe(`${said}.`);
    expect(weighed([deed], SMITH, ended("cancelled", "Stopped.")).message).toBe(`Stopped. ${said}.`);
  });

  it("asks for deeds of those only whose work they are", () => {
    expect(weighed([no("`a`")], { mutates: false, role: "checker" }).status).toBe("failed");
    expect(weighed([no("`a`")], { mutates: false, role: "recon" })).toMatchObject({
      status: "completed",
      message: "The user rejected `a`.",
    });
    expect(weighed([no("`a`")], { mutates: true, role: "historian" }).status).toBe("completed");
  });
});
