import { expect, it } from "vitest";
import { back, talk } from "../../../src/commands/talks.ts";
import { compose, ROOT, type Composition } from "../../support/composition.ts";
import { typed } from "../../support/typed.ts";

/** A user in a conversation with GAIA. */
async function open(options: object = {}) {
  const composition: Composition = await compose(options);
  const { runtime, host } = composition;
  const conversation = await composition.conversation();
  const context = typed({ runtime, conversation });
  const talkIds = (): string[] =>
    [...host.stored.values()].filter(({ title }) => title.includes("with you")).map(({ id }) => id);
  const inTalk = async (sessionId: string) => {
    const session = await runtime.sessions.find(sessionId);
    if (session === null) throw new Error(`${sessionId} is not GAIA's`);
    return { ...context, session, sessionId };
  };
  return { runtime, host, conversation, context, talkIds, inTalk };
}

it("/talk opens one session however often it is typed at once, and another where that was deleted", async () => {
  const { context, host, talkIds } = await open();
  await Promise.all([talk("hephaestus", context), talk("@Hephaestus ", context)]);
  const [first = "", ...others] = talkIds();
  expect(others).toEqual([]);
  host.stored.delete(first);
  await talk("hephaestus", context);
  expect(talkIds()).toHaveLength(1);
  expect(talkIds()).not.toContain(first);
});

it("what a specialist does in a talk belongs to the wave of now, and closes the gate of a pair like a delegation", async () => {
  const { conversation, context, talkIds, inTalk, runtime } = await open();
  const { parts } = conversation;
  conversation.dispatch({ type: "command", change: { knob: "interaction", value: "pair" } });
  conversation.dispatch({ type: "command", change: { knob: "checkinCadence", value: "batch" } });
  await talk("hephaestus", context);
  const [id = ""] = talkIds();
  const { session } = await inTalk(id);
  conversation.dispatch({ type: "work-unit-changed", workUnit: "unit" });
  conversation.dispatch({ type: "wave-opened", wave: "w1", workUnit: "unit" });
  await parts.talks.spoken(id, "hephaestus", "Change it");
  expect(parts.delegations.placeOf(id, session)).toEqual({ workUnit: "unit", waveId: "w1" });
  const files = [{ path: "a.ts", added: 2, removed: 1 }];
  const fact = { sessionId: id, tool: "edit", mutating: true, failed: false, files };
  conversation.dispatch({ type: "tool-finished", fact });
  expect(conversation.state.pause).toBeNull();
  runtime.conversations.observe({ type: "session.status", sessionId: id, status: "idle" });
  expect(conversation.state.pause).toMatchObject({ reason: "batch" });
  conversation.dispatch({ type: "user-message", text: "Go on" });
  expect(conversation.state.pause).toBeNull();
});

it("/back tells GAIA what the host saw, once, whoever takes it", async () => {
  const { conversation, context, talkIds, inTalk, host, runtime } = await open();
  await talk("hephaestus", context);
  const [id = ""] = talkIds();
  await inTalk(id);
  const [brief] = await conversation.parts.talks.spoken(
    id,
    "hephaestus",
    "Use key sk-abcdefghijklmnopqrstuvwx0123",
  );
  expect(brief).toContain("The user speaks with you directly here");
  expect(brief).toContain("Mode: supervised");
  expect(await conversation.parts.talks.spoken(id, "hephaestus", "More")).toEqual([]);
  expect(conversation.state.delegations).toEqual([{ sessionId: id, changed: false }]);
  const files = [{ path: "a.ts", added: 2, removed: 1 }];
  conversation.dispatch({
    type: "tool-finished",
    fact: { sessionId: id, tool: "edit", mutating: true, failed: false, files },
  });
  const idle = { type: "session.status", sessionId: id, status: "idle" } as const;
  runtime.conversations.observe(idle);
  runtime.conversations.observe(idle);
  expect(conversation.state.delegations).toEqual([]);

  conversation.takeLines();
  const handedBack = async () => JSON.stringify(await back("", await inTalk(id)));
  expect(await handedBack()).toContain("Handed back");
  expect(await handedBack()).toContain("Nothing is new here");
  const [line = "", ...others] = conversation.takeLines();
  expect(line).toMatch(/hephaestus\.\nChanged there: a.ts \+2 −1[^]*“More”/);
  expect(line).not.toContain("abcdefghijklmnopqrstuvwx");
  expect(others).toEqual([]);
  host.stored.delete(ROOT);
  expect(await handedBack()).toContain("was deleted");
});
