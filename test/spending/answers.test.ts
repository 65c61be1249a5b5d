import { describe, expect, it } from "vitest";
import { type AnswerEnd, describeAnswers } from "../../src/spending/answers.ts";

const end = (agent: string, rest: Partial<AnswerEnd> = {}): AnswerEnd => ({
  agent,
  model: "p/k2p5",
  status: "completed",
  isRepaired: false,
  verdict: "",
  ...rest,
});

describe("the answers of specialists", () => {
  it("are told by model where something was wrong with them", () => {
    const repaired = { isRepaired: true };
    expect(
      describeAnswers([
        end("hephaestus", repaired),
        end("hephaestus", repaired),
        end("artemis", { ...repaired, status: "partial" }),
        end("hades", { verdict: "REJECT: it breaks" }),
        end("hades", { verdict: "APPROVE" }),
        end("minerva", { model: "p/other" }),
        end("minerva", { model: null, status: "partial" }),
      ]),
    ).toEqual([
      "p/k2p5: 3 of 5 answers needed a repair (hephaestus 2, artemis 1), 1 of 5 answers fitted no contract or were cut (artemis 1), 1 of 5 answers rejected the work (hades 1)",
      "the default model: 1 of 1 answer fitted no contract or were cut (minerva 1)",
    ]);
  });
});
