import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Profile } from "../../../src/config/knobs.ts";
import type { Assumption } from "../../../src/conversation/questions/assumptions.ts";
import {
  ownQuestion,
  parseHandshakeAnswer,
  parseRampAnswer,
} from "../../../src/conversation/questions/handshake.ts";
import { createQuestions } from "../../../src/conversation/questions/questions.ts";
import type { DelegationResult } from "../../../src/delegation/result.ts";
import { isRefusal } from "../../../src/lib/error.ts";
import { DEFAULTS, play, set, type Scene } from "../collaboration/session.ts";

const question = (header: string) => ({ header, question: `${header}?` });
const SETTLED = set({ knob: "profile", value: "standard" });
const RAMP: Scene[] = [set({ knob: "profile", value: "pair_ramp" })];
const SURE: Assumption[] = [
  { text: "JWT", confidence: 0.9, agent: "minerva" },
  { text: "REST", confidence: 0.8, agent: "minerva" },
];

/** The questions of a conversation, with what it is told and what is dispatched to it. */
function openQuestions(before: readonly Scene[] = [SETTLED], { rampAsked = false, canAsk = true } = {}) {
  const { state } = play(before);
  const seen = { asked: [] as unknown[], notes: [] as string[], told: [] as string[] };
  const conversation = {
    state: { ...state, rampBatches: rampAsked ? DEFAULTS.startup.rampWarmupBatches : 0 },
    dispatch: (event: object) => void seen.asked.push(event),
    keep: () => undefined,
    canAsk: async () => canAsk,
    outbox: { note: (text: string) => void seen.notes.push(text) },
    tell: (line: string) => void seen.told.push(line),
  };
  const questions = createQuestions(conversation as never, { defaults: DEFAULTS } as never);
  /** What the user is asked in the end. */
  const ask = (callId: string, headers: readonly string[], isGaias = true): string[] => {
    const given = headers.map(question);
    const instead = questions.open(callId, given, isGaias);
    if (instead !== null && isRefusal(instead)) return [instead.reason];
    return (instead ?? given).map((each) => String(each.question));
  };
  return { ...seen, questions, ask, conversation };
}

describe("questions that a model puts to the user", () => {
  it.each<[string, Scene[], string[], boolean, string[], string]>([
    ["the handshake", [], ["Collaboration"], false, ["How"], "handshake"],
    ["another beside it", [], ["Collaboration", "Library"], false, ["How", "Library?"], "handshake"],
    ["the handshake behind others", [], ["A", "Collaboration", "B"], false, ["How", "A?", "B?"], "handshake"],
    ["the handshake twice", [], ["Collaboration", "Collaboration"], false, ["How"], "handshake"],
    ["others alone", [], ["A", "B"], false, ["A?", "B?"], "other"],
    ["one that was answered, beside another", [SETTLED], ["Collaboration", "A"], false, ["A?"], "other"],
    ["the ramp beside another", RAMP, ["A", "Pair ramp"], true, ["The", "A?"], "ramp"],
    ["a ramp that is not due", RAMP, ["Pair ramp"], false, ["Pair"], "other"],
  ])("%s", (_name, before, headers, rampAsked, expected, purpose) => {
    const { ask, asked } = openQuestions(before, { rampAsked });
    const put = ask("call", headers);
    expect(put.map((each) => each.split(" ")[0])).toEqual(expected);
    // The registered texts are those on the screen, in their order: the answers are matched by it.
    expect(asked).toEqual([expect.objectContaining({ purpose, requestId: "call", questions: put })]);
  });

  it("are refused where the user has said so already, and nothing else is asked", () => {
    const { ask, asked } = openQuestions();
    expect(ask("call", ["Collaboration"]).join()).toContain(
      "the user has said how to work together (standard, supervised)",
    );
    expect(asked).toEqual([]);
  });
});

let tasks = 0;
function finished(...assumed: [text: string, confidence: number][]): DelegationResult {
  tasks += 1;
  const parsed_json = { assumptions: assumed.map(([text, confidence]) => ({ text, confidence })) };
  const result = { task_id: `t${tasks}`, agent: "minerva", status: "completed", parsed_json } as const;
  return result as unknown as DelegationResult;
}
const textsOf = (assumptions: readonly { text: string }[]): string[] => assumptions.map(({ text }) => text);

describe("assumptions", () => {
  it("are brought up when there are three or one is unsure, each once and once per task", () => {
    const { collect, pending } = openQuestions().questions;
    const two = finished(["JWT", 0.8], ["REST", 0.9]);
    expect(collect(two)).toEqual([]);
    expect(collect(two)).toEqual([]);
    expect(collect(finished(["JWT", 0.8]))).toEqual([]);
    expect(textsOf(collect(finished(["SQLite", 0.7])))).toEqual(["JWT", "REST", "SQLite"]);
    expect(collect(finished(["tabs", 0.9]))).toEqual([]);
    expect(textsOf(collect(finished(["Node 20", 0.59])))).toEqual(["tabs", "Node 20"]);
    expect(pending()).toHaveLength(5);
  });

  it("are asked behind a question of GAIA's own, as far as there is room, and settled by its answer", async () => {
    const { ask, questions } = openQuestions();
    questions.restore({ pending: SURE });
    expect(ask("c", ["a", "b", "c", "d"])).toHaveLength(4);
    expect(ask("c", ["a"], false)).toEqual(["a?"]);
    expect(ask("c", ["a", "b", "c"]).at(-1)).toBe("Assumed by minerva: REST. Does that hold?");
    expect(await questions.close("c", [["jose"], ["x"], ["y"], ["No, RPC"]])).toContain("REST (No, RPC)");
    expect(textsOf(questions.pending())).toEqual(["JWT"]);
  });
});

const RAMPED = { ...play(RAMP).state, rampBatches: DEFAULTS.startup.rampWarmupBatches };
const labels = (defaultProfile: Profile, of: "handshake" | "ramp" = "handshake") =>
  ownQuestion(of === "ramp" ? RAMPED : play([]).state, of, {
    ...DEFAULTS,
    startup: { ...DEFAULTS.startup, defaultProfile },
  })?.options.map(({ label }) => label) ?? [];

describe("the answer to a question of GAIA's own", () => {
  it.each([[[]], [[[]]], [[["Pair Live", "Full Agentic"]]]])("%j is none", (answers) => {
    expect(parseHandshakeAnswer(answers)).toBeNull();
  });

  it("never throws, and every offered label is understood", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string())), (answers) => {
        parseHandshakeAnswer(answers);
        parseRampAnswer(answers);
      }),
    );
    for (const label of labels("pair_live")) expect(parseHandshakeAnswer([[label]])).not.toBeNull();
    expect(labels("standard", "ramp")).toHaveLength(3);
    for (const label of labels("standard", "ramp")) expect(parseRampAnswer([[label]])).not.toBeNull();
  });
});
