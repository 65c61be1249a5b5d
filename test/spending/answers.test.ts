import { expect, it } from "vitest";
import { type AnswerEnd, describeAnswers } from "../../src/spending/answers.ts";

const BASE = { model: "p/k2p5", status: "completed", isRepaired: false, verdict: "" };
const end = (agent: string, rest: Partial<AnswerEnd> = {}): AnswerEnd => ({ agent, ...BASE, ...rest });
const repaired = { isRepaired: true };

it("tells of the answers of specialists, by model, where something was wrong with them", () => {
  const ends = [
    end("hephaestus", repaired),
    end("hephaestus", repaired),
    end("artemis", { ...repaired, status: "partial" }),
    end("hades", { verdict: "REJECT: it breaks" }),
    end("hades", { verdict: "APPROVE" }),
    end("minerva", { model: "p/other" }),
    end("minerva", { model: null, status: "partial" }),
  ];
  expect(describeAnswers(ends)).toEqual([
    "p/k2p5: 3 of 5 answers needed a repair (hephaestus 2, artemis 1), 1 of 5 answers fitted no contract or were cut (artemis 1), 1 of 5 answers rejected the work (hades 1)",
    "the default model: 1 of 1 answer fitted no contract or were cut (minerva 1)",
  ]);
});
