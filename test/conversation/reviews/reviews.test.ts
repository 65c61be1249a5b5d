import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { DEFAULTS } from "../collaboration/session.ts";
import { initialState } from "../../../src/conversation/collaboration/state.ts";
import { reduceCollaboration } from "../../../src/conversation/collaboration/reducer.ts";
import { createReviews } from "../../../src/conversation/reviews/reviews.ts";
import type { ReviewVerdict } from "../../../src/plan/review/outcome.ts";

type Step = "change" | "user" | "wave" | "restart" | readonly [reviewer: string, verdict: ReviewVerdict];

const APPROVED = ["hades", "APPROVE"] as const;
const REJECTED = ["hades", "REJECT"] as const;
const FAILED = ["aether", "REJECT"] as const;

/** What follows from each review of one piece of work. */
function decisions(steps: readonly Step[]): string[] {
  let state = initialState("root", DEFAULTS, 0);
  let found = "noted";
  const conversation = {
    get state() {
      return state;
    },
    dispatch(event: Parameters<typeof reduceCollaboration>[1]) {
      if (event.type === "blocked") found = `blocked: ${event.reason} ${event.nextStep}`;
      state = reduceCollaboration(state, { ...event, at: state.at + 1 }, DEFAULTS).state;
    },
    keep: () => undefined,
    log: async () => undefined,
    tell: () => void (found = "fix-round"),
  };
  const services = {
    redact: (text: string) => text,
    roleOf: () => "reviewer",
    specialistOf: () => undefined,
  };
  const open = () =>
    createReviews(
      conversation as never,
      services as never,
      { stage: () => null },
      { wantsRed: () => false },
      { isUnderWay: () => false },
    );
  let reviews = open();
  const finish = (agent: string, verdict: ReviewVerdict | null, changed: boolean): void => {
    const outcome = verdict === null ? undefined : { verdict, reason: "it is wrong", next_step: "Mend it." };
    const envelope = { ok: true, data: {}, errors: [], outcome };
    const task = { id: agent, agent, outcome: { status: "completed", parseError: null, envelope } };
    reviews.delegationFinished((verdict === null ? { ...task, outcome: null } : task) as never, changed);
  };
  return steps.flatMap((step) => {
    if (step === "change") finish("hephaestus", null, true);
    else if (step === "user") {
      conversation.dispatch({ type: "user-message", text: "Go on" } as never);
      reviews.userSpoke("go-on");
    } else if (step === "wave") reviews.heard({ type: "wave-opened" } as never);
    else if (step === "restart") {
      const kept: unknown = JSON.parse(JSON.stringify(reviews.snapshot() ?? null));
      reviews = open();
      reviews.restore(kept);
    } else {
      found = "noted";
      finish(step[0], step[1], false);
      return [found];
    }
    return [];
  });
}

const kindsOf = (steps: readonly Step[]): string[] =>
  decisions(steps).map((decision) => decision.split(":")[0] ?? "");

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
    ["the user spoke before the same finding", [REJECTED, "user", REJECTED], ["noted", "noted"]],
    [
      "a restart before the fix",
      ["change", REJECTED, "restart", "change", REJECTED],
      ["fix-round", "blocked"],
    ],
  ])("%s", (_name, steps, expected) => {
    expect(kindsOf(steps)).toEqual(expected);
  });

  it("end with who said what, and what is next", () => {
    expect(decisions(["change", FAILED, "change", REJECTED]).at(-1)).toBe(
      "blocked: still rejected after one round of fixing (hades: it is wrong) Mend it.",
    );
    expect(decisions(["change", FAILED, ["hades", "BLOCKED"]]).at(-1)).toBe(
      "blocked: hades: it is wrong; aether: it is wrong Mend it.",
    );
  });

  it("never grant more than one fix round between two words of the user", () => {
    const step = fc.oneof(
      fc.constant<Step>("change"),
      fc.tuple(
        fc.constantFrom("aether", "hades", "artemis"),
        fc.constantFrom<ReviewVerdict>("APPROVE", "REJECT", "BLOCKED"),
      ),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const kinds = kindsOf(steps);
        const end = kinds.indexOf("blocked");
        const open = end < 0 ? kinds : kinds.slice(0, end);
        expect(open.filter((kind) => kind === "fix-round").length).toBeLessThanOrEqual(1);
      }),
    );
  });
});
