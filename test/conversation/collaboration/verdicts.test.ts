import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { initialState, restoreState, sealState } from "../../../src/conversation/collaboration/state.ts";
import {
  addVerdict,
  isOpen,
  noteAnswer,
  noteFix,
  openObjections,
  type StandingVerdict,
} from "../../../src/conversation/collaboration/verdicts.ts";
import { createSeal } from "../../../src/lib/seal.ts";
import { answers, asks, decisions, DEFAULTS, NEXT, playOn, question, replies } from "./session.ts";
import { says, type Scene } from "./session.ts";

type Step = "fix" | "user" | "other fix" | "yes" | "silent" | "no" | "blocked" | "checker yes";

function after(...steps: readonly Step[]): readonly StandingVerdict[] {
  return steps.reduce<readonly StandingVerdict[]>((list, step, at) => {
    if (step === "fix") return noteFix(list, "unit");
    if (step === "other fix") return noteFix(list, "other");
    if (step === "user") return noteAnswer(list);
    const verdicts = { no: "REJECT", blocked: "BLOCKED", silent: null } as const;
    const verdict = step in verdicts ? verdicts[step as keyof typeof verdicts] : "APPROVE";
    const who =
      step === "checker yes"
        ? { reviewer: "aether", role: "checker" }
        : { reviewer: "hades", role: "reviewer" };
    return addVerdict(list, { workUnit: "unit", ...who, verdict, reason: "why", findings: [] }, at);
  }, []);
}

const stands = (...steps: readonly Step[]): boolean => openObjections(after(...steps), "unit").length > 0;

describe("an objection", () => {
  it.each<[string, boolean, Step[]]>([
    ["stands when it was fixed and not looked at", true, ["no", "fix"]],
    ["is not settled by asking again, and a change afterwards", true, ["no", "yes", "fix"]],
    ["is not settled by silence", true, ["no", "fix", "silent"]],
    ["is not settled by a reviewer for something else", true, ["no", "fix", "checker yes"]],
    ["stands again when it comes again", true, ["no", "fix", "no", "yes"]],
    ["that it cannot be judged may be answered without a change", false, ["blocked", "user", "yes"]],
    ["that it cannot be judged stands until then", true, ["blocked", "yes"]],
  ])("%s", (_name, expected, steps) => {
    expect(stands(...steps)).toBe(expected);
  });

  it("goes only by a change, and an approval that was said after it", () => {
    const steps = fc.array(
      fc.constantFrom<Step>("fix", "user", "other fix", "yes", "silent", "no", "blocked", "checker yes"),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(steps, (before) => {
        // What the reviewer says anew takes the place of what was said.
        const rest = before.filter((step) => step !== "fix" && step !== "blocked");
        expect(stands(...before, "no", ...rest.filter((step) => step !== "no"))).toBe(true);
        expect(stands(...before, "no", "fix", "yes")).toBe(false);
      }),
    );
  });

  it("is kept over a restart and in a fork, and never pushed out by approvals", () => {
    const many = Array.from({ length: 60 }, (_, at) => `r${at}`).reduce(
      (list, reviewer, at) =>
        addVerdict(
          list,
          { workUnit: "unit", reviewer, role: reviewer, verdict: "APPROVE", reason: "", findings: [] },
          at,
        ),
      after("no"),
    );
    const seal = createSeal();
    const state = { ...initialState("ses", DEFAULTS, 0), workUnit: "unit", verdicts: many };
    for (const session of ["ses", "ses_fork"]) {
      const restored = restoreState(
        JSON.parse(JSON.stringify(sealState(state, seal))),
        session,
        DEFAULTS,
        1,
        seal,
      );
      expect(restored?.verdicts.filter(isOpen)).toMatchObject([{ reviewer: "hades", reason: "why" }]);
    }
  });
});

describe("the user's word", () => {
  const objected = { ...initialState("root", DEFAULTS, 0), workUnit: "unit", verdicts: after("no") };
  const isOpenAfter = (...scenes: Scene[]): boolean => playOn(objected, scenes).state.verdicts.some(isOpen);

  it.each(["Overrule hades.", "go on"])(
    "ends no objection, in a message or as the answer to a question: %s",
    (text) => {
      expect(isOpenAfter(says(text))).toBe(true);
      expect(isOpenAfter(question("q", text), answers("q", [text]))).toBe(true);
      expect(isOpenAfter(NEXT)).toBe(true);
    },
  );

  it("ends an objection in the dialog that names it, and is recorded", () => {
    const approval = { kind: "verification", workUnit: "unit", overrulesUntil: 5 } as const;
    const asked = asks("r", "t", approval);
    expect(isOpenAfter(asked, replies("r"))).toBe(false);
    expect(decisions(playOn(objected, [asked, replies("r")]))).toContainEqual(
      expect.objectContaining({ answer: "approved in the dialog" }),
    );
    expect(isOpenAfter(asked, replies("r", "once", "plugin"))).toBe(true);
    expect(isOpenAfter(asked, replies("r", "reject"))).toBe(true);
    const { overrulesUntil: _until, ...plain } = approval;
    expect(isOpenAfter(asks("r", "t", plain), replies("r"))).toBe(true);
  });
});
