import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ReviewVerdict } from "../../../src/plan/review/outcome.ts";
import {
  addReview,
  beginWave,
  forgetReviews,
  keepLedgers,
  NEW_WORK,
  noteChange,
  restoreLedgers,
  type ReviewLedger,
} from "../../../src/conversation/reviews/reviews.ts";

type Step = "change" | "user" | "wave" | readonly [reviewer: string, verdict: ReviewVerdict];

const APPROVED = ["hades", "APPROVE"] as const;
const REJECTED = ["hades", "REJECT"] as const;
const FAILED = ["aether", "REJECT"] as const;

function decisions(steps: readonly Step[]): string[] {
  let ledger: ReviewLedger = NEW_WORK;
  return steps.flatMap((step) => {
    if (step === "change") ledger = noteChange(ledger);
    else if (step === "user") ledger = forgetReviews(ledger);
    else if (step === "wave") ledger = beginWave(ledger);
    else {
      const [reviewer, verdict] = step;
      const added = addReview(ledger, { reviewer, verdict, reason: "it is wrong" });
      ledger = added.ledger;
      return [added.decision.kind];
    }
    return [];
  });
}

describe("the reviews of one piece of work", () => {
  it.each<[string, Step[], string[]]>([
    ["approved", ["change", APPROVED], ["noted"]],
    ["rejected, fixed, approved", ["change", REJECTED, "change", APPROVED], ["fix-round", "noted"]],
    ["rejected, fixed, rejected", ["change", REJECTED, "change", REJECTED], ["fix-round", "blocked"]],
    ["rejected by another after the fix", ["change", FAILED, "change", REJECTED], ["fix-round", "blocked"]],
    [
      "approved in between",
      ["change", FAILED, "change", ["aether", "APPROVE"], REJECTED],
      ["fix-round", "noted", "blocked"],
    ],
    [
      "rejected by both side by side",
      ["change", FAILED, REJECTED, "change", APPROVED],
      ["fix-round", "noted", "noted"],
    ],
    [
      "rejected by both, and again after the fix",
      ["change", FAILED, REJECTED, "change", FAILED],
      ["fix-round", "noted", "blocked"],
    ],
    ["rejected by the second of two", ["change", ["aether", "APPROVE"], REJECTED], ["noted", "fix-round"]],
    ["asked again without a fix", ["change", REJECTED, REJECTED], ["fix-round", "blocked"]],
    ["blocked", ["change", ["aether", "BLOCKED"]], ["blocked"]],
    ["blocked beside a rejection", ["change", FAILED, ["hades", "BLOCKED"]], ["fix-round", "blocked"]],
    ["blocked before anything was changed", [["aether", "BLOCKED"]], ["blocked"]],
    ["a finding where nothing was changed", [REJECTED, FAILED], ["noted", "noted"]],
    ["the same finding asked for twice", [REJECTED, REJECTED], ["noted", "blocked"]],
    [
      "a failing start is not the change's",
      [FAILED, "change", FAILED, "change", FAILED],
      ["noted", "fix-round", "blocked"],
    ],
    [
      "fixed in a wave of its own",
      ["change", REJECTED, "wave", "change", REJECTED],
      ["fix-round", "blocked"],
    ],
    [
      "the next wave after an approval",
      ["change", REJECTED, "change", APPROVED, "wave", "change", REJECTED],
      ["fix-round", "noted", "fix-round"],
    ],
    [
      "the user spoke in between",
      ["change", REJECTED, "user", "change", REJECTED],
      ["fix-round", "fix-round"],
    ],
  ])("%s", (_name, steps, expected) => {
    expect(decisions(steps)).toEqual(expected);
  });

  it("goes on after a restart where it was", () => {
    const before = noteChange(
      addReview(noteChange(NEW_WORK), { reviewer: "hades", verdict: "REJECT", reason: "x".repeat(500) })
        .ledger,
    );
    const saved: unknown = JSON.parse(JSON.stringify(keepLedgers(new Map([["unit", before]]))));
    const after = restoreLedgers(saved).get("unit") ?? NEW_WORK;
    const second = { reviewer: "hades", verdict: "REJECT", reason: "again" } as const;
    expect(addReview(after, second).decision.kind).toBe("blocked");
    expect(addReview(NEW_WORK, second).decision.kind).toBe("noted");
  });

  it("keeps little over a restart, however much there was, and takes nothing else for it", () => {
    const round = Array.from({ length: 40 }, (_, n) => ({
      reviewer: `r${n}`,
      verdict: "REJECT" as const,
      reason: "x".repeat(900),
    }));
    const much = new Map(Array.from({ length: 40 }, (_, n) => [`unit-${n}`, { ...NEW_WORK, round }]));
    expect(JSON.stringify(keepLedgers(much)).length).toBeLessThan(8_000);
    expect([...restoreLedgers(keepLedgers(much)).keys()].at(-1)).toBe("unit-39");
    for (const odd of [null, {}, [["unit", { state: { fixRounds: -1 } }]], [7]])
      expect(() => restoreLedgers(odd)).toThrow("code");
  });

  it("never grants more than one fix round between two words of the user", () => {
    const step = fc.oneof(
      fc.constant<Step>("change"),
      fc.tuple(
        fc.constantFrom("aether", "hades", "artemis"),
        fc.constantFrom<ReviewVerdict>("APPROVE", "REJECT", "BLOCKED"),
      ),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const kinds = decisions(steps);
        const end = kinds.indexOf("blocked");
        const open = end < 0 ? kinds : kinds.slice(0, end);
        expect(open.filter((kind) => kind === "fix-round").length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
