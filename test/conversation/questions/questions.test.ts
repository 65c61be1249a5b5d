import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ownOffers, parseProfile } from "../../../src/conversation/questions/handshake.ts";
import { createQuestions } from "../../../src/conversation/questions/questions.ts";
import type { DelegationResult } from "../../../src/delegation/result.ts";
import { isRefusal } from "../../../src/lib/error.ts";
import {
  DEFAULTS,
  edit,
  finish,
  NEXT,
  play,
  playOn,
  type Scene,
  set,
  start,
} from "../collaboration/session.ts";
import { keepingOf } from "../../support/kept.ts";

const question = (header: string) => ({ header, question: `${header}?` });
const SETTLED = set({ knob: "profile", value: "standard" });
const RAMP: Scene[] = [set({ knob: "profile", value: "pair_ramp" })];
const ROUND: Scene[] = [start(), edit(), finish()];
/** After its warm-up, at the check-in. */
const RAMPED: Scene[] = [...RAMP, ...ROUND, NEXT, ...ROUND];
const AGENTIC = { profile: "agentic_checkpoint", mode: "autopilot" };
const SURE = [
  { text: "JWT", confidence: 0.9, agent: "minerva" },
  { text: "REST", confidence: 0.8, agent: "minerva" },
];

/** The questions of a conversation, with what it is told and what is dispatched to it. */
function openQuestions(
  before: readonly Scene[] = [SETTLED],
  canAsk = true,
  client = "terminal",
  assumptions: readonly object[] = [],
) {
  const seen = { asked: [] as Scene[], notes: [] as string[], told: [] as string[] };
  const conversation = {
    state: play(before).state,
    dispatch(event: Scene): void {
      seen.asked.push(event);
      conversation.state = playOn(conversation.state, [event]).state;
      questions.heard(event);
    },
    ...keepingOf({ assumptions }),
    canAsk: async () => canAsk,
    canQuestion: async () => canAsk && client !== "editor",
    outbox: { note: (text: string) => void seen.notes.push(text) },
    tell: (line: string) => void seen.told.push(line),
  };
  const services = { defaults: DEFAULTS, host: { client, toast: async () => undefined } };
  const questions = createQuestions(conversation as never, services as never);
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
  it.each<[string, Scene[], string[], string[]]>([
    ["the handshake", [], ["Collaboration"], ["How"]],
    ["another beside it", [], ["Collaboration", "Library"], ["How", "Library?"]],
    ["the handshake behind others", [], ["A", "Collaboration", "B"], ["How", "A?", "B?"]],
    ["the handshake twice", [], ["Collaboration", "Collaboration"], ["How"]],
    ["others alone", [], ["A", "B"], ["A?", "B?"]],
    ["one that was answered, beside another", [SETTLED], ["Collaboration", "A"], ["A?"]],
    ["the ramp beside another", RAMPED, ["A", "Pair ramp"], ["The", "A?"]],
    ["a ramp that is not due", RAMP, ["Pair ramp"], ["Pair"]],
  ])("%s", (_name, before, headers, expected) => {
    const { ask, asked } = openQuestions(before);
    const put = ask("call", headers);
    expect(put.map((each) => each.split(" ")[0])).toEqual(expected);
    // The registered texts are those on the screen, in their order: the answers are matched by it.
    expect(asked).toEqual([{ type: "question-asked", requestId: "call", questions: put }]);
  });

  it.each<[string, Scene[], string, string[] | null, object]>([
    ["a profile", [], "Collaboration", ["Agentic + Check-ins"], AGENTIC],
    ["a profile beside another answer", [], "Collaboration", ["pair live"], { profile: "pair_live" }],
    ["a sentence", [], "Collaboration", ["Full Agentic, or not?"], { profile: "standard" }],
    ["nothing", [], "Collaboration", null, { profile: "standard" }],
    ["letting go", RAMPED, "Pair ramp", ["Agentic + Check-ins"], AGENTIC],
    ["staying", RAMPED, "Pair ramp", ["Keep pairing"], { profile: "pair_ramp" }],
  ])("are the plugin's, and settled by %s", async (_name, before, header, answer, knobs) => {
    const { ask, questions, conversation } = openQuestions(before);
    ask("call", ["Library", header]);
    if (answer === null) conversation.dispatch({ type: "question-dismissed", requestId: "call" });
    else expect(await questions.close("call", [answer, ["jose"]])).toBe("");
    expect(conversation.state).toMatchObject({ knobs, handshake: "settled", pause: null });
    // Twice it is not answered.
    await questions.close("call", [["Full Agentic"], ["jose"]]);
    expect(conversation.state.knobs).toMatchObject(knobs);
  });

  it("are due again where a stop closed them", () => {
    const { ask, conversation } = openQuestions([]);
    expect(ask("one", ["Collaboration"])[0]).toContain("How do you want");
    conversation.dispatch({ type: "aborted" });
    conversation.dispatch({ type: "question-dismissed", requestId: "one" });
    expect(ask("two", ["Collaboration"])[0]).toContain("How do you want");
  });

  it("are asked once, whatever several calls of one answer ask for", async () => {
    const { ask, questions } = openQuestions([]);
    const offer = { header: "Trust", questions: [{ ...question("Trust"), options: [], multiple: false }] };
    questions.put({ ...offer, settle: async () => "" });
    questions.collect(finished(["JWT", 0.9], ["REST", 0.8]));
    const headers = ["Collaboration", "Trust", "Assumptions"];
    expect(ask("one", headers)).toHaveLength(4);
    expect(ask("two", headers)).toEqual(["Refused: the user is being asked this."]);
    expect(ask("three", [...headers, "Mine"])).toEqual(["Mine?"]);
    await questions.close("one", [["Standard"], ["No"], ["It holds"], ["It holds"]]);
    expect(ask("four", ["Assumptions"])).toEqual(["Assumptions?"]);
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
    const { ask, questions } = openQuestions([SETTLED], true, "terminal", SURE);
    expect(ask("c", ["a", "b", "c", "d"])).toHaveLength(4);
    expect(ask("c", ["a"], false)).toEqual(["a?"]);
    expect(ask("c", ["a", "b", "c"]).at(-1)).toBe("Assumed by minerva: REST. Does that hold?");
    expect(await questions.close("c", [["jose"], ["x"], ["y"], ["No, RPC"]])).toContain("REST (No, RPC)");
    expect(textsOf(questions.pending())).toEqual(["JWT"]);
  });
});

const labelsOf = (before: readonly Scene[]): string[] =>
  ownOffers({ state: play(before).state, dispatch: () => undefined }, {
    defaults: DEFAULTS,
  } as never).flatMap(({ questions: [own] }) => own?.options.map(({ label }) => label) ?? []);

describe("the answer to a question of GAIA's own", () => {
  it.each([[[]], [[[]]], [[["Pair Live", "Full Agentic"]]]])("%j is none", (answers) => {
    expect(parseProfile(answers)).toBeNull();
  });

  it("never throws, and every offered label is understood", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string())), (answers) => {
        parseProfile(answers);
      }),
    );
    expect(labelsOf([])).toHaveLength(6);
    for (const label of labelsOf([])) expect(parseProfile([[label]])).not.toBeNull();
    expect(labelsOf(RAMPED).map((label) => parseProfile([[label]]))).toEqual([
      null,
      "agentic_checkpoint",
      "agentic_full",
    ]);
  });
});

it("in an editor, which has no question tool, GAIA is told so and never to call it", async () => {
  const { questions, told } = openQuestions([], true, "editor");
  expect(await questions.handshakeHint()).toEqual([expect.stringMatching(/^There is no question tool/u)]);
  expect(await questions.handshakeHint("create_work_unit")).toEqual([]);
  const due = JSON.stringify(await questions.withResult(finished(["Euros", 0.1])));
  expect(due).toContain("Euros");
  expect([due, ...questions.remind(), ...told].join(" ")).not.toContain("call question");
  expect(await questions.beforeWave()).toBeNull();
});
