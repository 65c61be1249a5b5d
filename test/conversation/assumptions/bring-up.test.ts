import { describe, expect, it } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { createTask } from "../../../src/delegation/task.ts";
import { fillEnvelope } from "../../../src/delegation/read-result.ts";
import type { Assumption } from "../../../src/conversation/assumptions/assumptions.ts";
import { createTestServices, openConversation } from "../../support/services.ts";

const SURE: Assumption[] = [
  { text: "JWT", confidence: 0.9, agent: "minerva" },
  { text: "REST", confidence: 0.8, agent: "minerva" },
];

async function conversationWith(
  pending: Assumption[],
): Promise<{ conversation: Conversation; notes: string[] }> {
  const services = createTestServices();
  const notes: string[] = [];
  services.host.sessions.note = async (_id, _speaker, text) => void notes.push(text);
  const { conversation } = await openConversation(services);
  conversation.parts.assumptions.restore?.({ pending, surfaced: pending.length });
  return { conversation, notes };
}

describe("assumptions that nobody confirmed", () => {
  it("are asked behind a question of the model's own, as far as there is room, and settled by its answer", async () => {
    const { conversation } = await conversationWith(SURE);
    const { offers, assumptions } = conversation.parts;
    const own = { header: "Library", question: "jose?" };
    expect(assumptions.join("c", [own, own, own, own])).toBeNull();
    expect(assumptions.join("c", [own, own, own])?.map(({ question }) => question)).toEqual([
      "jose?",
      "jose?",
      "jose?",
      "Assumed by minerva: REST. Does that hold?",
    ]);
    const said = await offers.close("c", [["jose"], ["x"], ["y"], ["No, RPC"]]);
    expect(said).toContain("REST (No, RPC)");
    expect(assumptions.pending().map(({ text }) => text)).toEqual(["JWT"]);
  });

  it("stand on the screen when the work stops for the user, each once", async () => {
    const { conversation, notes } = await conversationWith(SURE);
    const stop = { type: "blocked", reason: "no", nextStep: "ask" } as const;
    conversation.dispatch(stop);
    conversation.dispatch({ type: "next" });
    conversation.dispatch(stop);
    await conversation.outbox.flush();
    expect(notes.join("\n").match(/- JWT \(minerva, 0.9\)/g)).toHaveLength(1);
    expect(conversation.parts.offers.open("c", [{ header: "Assumptions" }])?.questions).toHaveLength(2);
  });

  it.each([
    ["supervised", ["JWT", "SQLite"]],
    ["autopilot", ["SQLite"]],
  ] as const)("are asked before the next wave of a run in %s, once: %j", async (mode, due) => {
    const unsure = { text: "SQLite", confidence: 0.4, agent: "minerva" };
    const { conversation } = await conversationWith([
      { text: "JWT", confidence: 0.9, agent: "minerva" },
      unsure,
    ]);
    conversation.dispatch({ type: "command", change: { knob: "mode", value: mode } });
    const { assumptions, offers } = conversation.parts;
    conversation.canAsk = async () => false;
    expect(await assumptions.beforeWave()).toBeNull();
    conversation.canAsk = async () => true;
    const asked = await assumptions.beforeWave();
    expect(["JWT", "SQLite"].filter((text) => asked?.reason.includes(text))).toEqual(due);
    expect(asked?.hint).toContain('header "Assumptions"');
    expect(offers.open("c", [{ header: "Assumptions" }])).not.toBeNull();
    expect(await assumptions.beforeWave()).toBeNull();
  });

  it("are none to be asked about where there are none", async () => {
    const { conversation, notes } = await conversationWith([]);
    conversation.parts.assumptions.decisionWaits();
    await conversation.outbox.flush();
    expect(notes).toEqual([]);
    expect(conversation.parts.assumptions.join("c", [{ header: "x" }])).toBeNull();
    expect(conversation.parts.offers.open("c", [{ header: "Assumptions" }])).toBeNull();
  });

  it("come up after a background task as well, whose result no tool gives back", async () => {
    const { conversation } = await conversationWith([]);
    const identity = { id: "t", agent: "minerva", parentId: "root", callId: "c", sessionId: "s" };
    const task = createTask({ ...identity, background: true, workUnit: null, waveId: null }, 0);
    const origin = { agent: "minerva", workUnit: null, sessionId: "s", vcs: "git" } as const;
    const assumptions = [{ text: "SQLite", confidence: 0.3 }];
    const envelope = fillEnvelope(origin, { ok: true, data: {}, errors: [], assumptions });
    const outcome = { status: "completed", message: "", envelope, parseError: null, text: null } as const;
    conversation.each((part) => part.delegationFinished?.({ ...task, outcome }, false));
    // Whether anyone can answer is asked of the host.
    await new Promise(setImmediate);
    expect(conversation.takeLines().join()).toContain("SQLite (minerva, 0.3)");
  });
});
