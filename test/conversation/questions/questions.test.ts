import { describe, expect, it } from "vitest";
import { openQuestion } from "../../../src/conversation/questions/questions.ts";
import { isRefusal } from "../../../src/lib/refusal.ts";
import { DEFAULTS, play, set, type Scene } from "../collaboration/session.ts";

const question = (header: string) => ({ header, question: `${header}?` });
const SETTLED = set({ knob: "profile", value: "standard" });
const RAMP: Scene[] = [set({ knob: "profile", value: "pair_ramp" })];

/** What the user is asked in the end, by header, and for what it counts. */
function ask(before: readonly Scene[], headers: readonly string[], rampAsked = false) {
  const { state } = play(before);
  const asked: unknown[] = [];
  const now = { ...state, ramp: { ...state.ramp, asked: rampAsked } };
  const conversation = { state: now, dispatch: (event: object) => void asked.push(event) };
  const questions = headers.map(question);
  const instead = openQuestion(conversation, "call", questions, DEFAULTS);
  if (instead !== null && isRefusal(instead)) return { refused: instead.reason, asked };
  return { headers: (instead ?? questions).map(({ header }) => header), asked };
}

describe("questions that a model puts to the user", () => {
  it.each<[string, Scene[], string[], boolean, string[], string]>([
    ["the handshake", [], ["Collaboration"], false, ["Collaboration"], "handshake"],
    ["another beside it", [], ["Collaboration", "Library"], false, ["Collaboration", "Library"], "handshake"],
    [
      "the handshake behind others",
      [],
      ["A", "Collaboration", "B"],
      false,
      ["Collaboration", "A", "B"],
      "handshake",
    ],
    ["the handshake twice", [], ["Collaboration", "Collaboration"], false, ["Collaboration"], "handshake"],
    ["others alone", [], ["A", "B"], false, ["A", "B"], "other"],
    ["one that was answered, beside another", [SETTLED], ["Collaboration", "A"], false, ["A"], "other"],
    ["the ramp beside another", RAMP, ["A", "Pair ramp"], true, ["Pair ramp", "A"], "ramp"],
    ["a ramp that is not due", RAMP, ["Pair ramp"], false, ["Pair ramp"], "other"],
  ])("%s", (_name, before, headers, rampAsked, expected, purpose) => {
    const { headers: put, asked } = ask(before, headers, rampAsked);
    expect(put).toEqual(expected);
    // The registered texts are those on the screen, in their order: the answers are matched by it.
    expect(asked).toEqual([expect.objectContaining({ purpose, requestId: "call" })]);
    expect((asked[0] as { questions: string[] }).questions).toHaveLength(expected.length);
  });

  it("are refused where the user has said so already, and nothing else is asked", () => {
    const { refused, asked } = ask([SETTLED], ["Collaboration"]);
    expect(refused).toContain("the user has said how to work together (standard, supervised)");
    expect(asked).toEqual([]);
  });
});
