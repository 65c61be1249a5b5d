import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { back, talk } from "../../../src/commands/talks.ts";
import { addFact, EMPTY_BATCH } from "../../../src/conversation/collaboration/batch.ts";
import { renderReturn } from "../../../src/conversation/talks/talks.ts";
import { compose, ROOT, type Composition } from "../../support/composition.ts";
import { typed } from "../../support/typed.ts";

/** Characters of what is put into a message. */
const MAX_TEXT = 5_000;

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

describe("/talk", () => {
  it.each([
    ["", "/talk needs a name. Specialists: "],
    ["hefaestus", "Did you mean /talk hephaestus?"],
    ["nobody at all", 'There is no specialist "nobody". Specialists: '],
    ["minerva", "minerva is disabled in the config."],
  ])("%j hands nothing over, and says who there is", async (name, words) => {
    const { context, talkIds } = await open({ agents: { minerva: { disabled: true } } });
    const { forModel } = await talk(name, context);
    expect(forModel).toContain("Nothing was handed over.");
    expect(forModel).toContain(words);
    expect(talkIds()).toEqual([]);
  });

  it("opens one session however often it is typed at once, and another where that was deleted", async () => {
    const { context, host, talkIds } = await open();
    await Promise.all([talk("hephaestus", context), talk("@Hephaestus ", context)]);
    const [first = "", ...others] = talkIds();
    expect(others).toEqual([]);
    host.stored.delete(first);
    await talk("hephaestus", context);
    expect(talkIds()).toHaveLength(1);
    expect(talkIds()).not.toContain(first);
  });
});

describe("what a specialist does in a talk", () => {
  it("belongs to the wave of now, and closes the gate of a pair like a delegation", async () => {
    const { conversation, context, talkIds, inTalk, runtime } = await open();
    const { parts } = conversation;
    conversation.dispatch({ type: "command", change: { preset: "pair" } });
    conversation.dispatch({ type: "command", change: { knob: "checkinCadence", value: "batch" } });
    await talk("hephaestus", context);
    const [id = ""] = talkIds();
    const { session } = await inTalk(id);
    conversation.dispatch({ type: "work-unit-changed", workUnit: "unit" });
    conversation.dispatch({ type: "wave-opened", wave: "w1", workUnit: "unit", title: "One" });
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
});

describe("/back", () => {
  it("tells GAIA what the host saw, once, whoever takes it", async () => {
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
    expect(conversation.state.delegations).toEqual([{ sessionId: id, agent: "hephaestus", changed: false }]);
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
    expect((await back("", await inTalk(id))).forModel).toContain("Handed back");
    expect((await back("", await inTalk(id))).forModel).toContain("Nothing is new here");
    const [line = "", ...others] = conversation.takeLines();
    expect(line).toMatch(/hephaestus\.\nChanged there: a.ts \(\+2 −1\)[^]*“More”/);
    expect(line).not.toContain("abcdefghijklmnopqrstuvwx");
    expect(others).toEqual([]);
    host.stored.delete(ROOT);
    expect((await back("", await inTalk(id))).forModel).toContain("was deleted");
  });

  it("finds what an earlier process had not told, and nothing that it had", async () => {
    const { conversation, context, talkIds, host } = await open();
    await talk("hephaestus", context);
    const { talks } = conversation.parts;
    const [id = ""] = talkIds();
    await talks.spoken(id, "hephaestus", "One");
    // It ended before it had noted the answer.
    const turn = { text: "One it is.", failure: null };
    host.history.set(id, [{ role: "assistant", agent: "hephaestus", model: null, turn, completed: true }]);
    expect(await talks.handBack(null)).toEqual([expect.stringContaining("said last: One it is.")]);
    const kept = talks.snapshot?.();
    conversation.takeLines();
    expect(JSON.stringify(talks.snapshot?.())).toContain('"untold":[]');
    talks.restore?.(kept);
    expect(conversation.takeLines().join("\n")).toContain("The user said: “One”");
    for (const damaged of [null, 7, { talks: [null, { files: "x" }], untold: {} }]) talks.restore?.(damaged);
    expect(conversation.takeLines()).toEqual([]);
  });

  it("keeps little over a restart, however much was said", async () => {
    const { conversation } = await open();
    const { talks } = conversation.parts;
    for (const agent of ["hephaestus", "minerva", "apollo", "artemis", "hades"]) {
      for (let words = 0; words < 8; words += 1)
        await talks.spoken(`ses_${agent}`, agent, '"\n'.repeat(2_000));
      if (agent !== "hades") await talks.handBack(null);
    }
    const kept = JSON.stringify(talks.snapshot?.());
    expect(kept.length).toBeLessThanOrEqual(8_000);
    expect(kept).toContain("ses_hades");
  });
});

describe("what is told of a talk", () => {
  const text = fc.string({ maxLength: 3_000, unit: "grapheme" });
  const fact = { sessionId: "ses", tool: "edit", mutating: true, failed: false };
  it("is bounded, whatever was said and done", () => {
    const file = fc.record({ path: text, added: fc.nat(), removed: fc.nat() });
    fc.assert(
      fc.property(text, fc.array(text), fc.array(file), (last, said, files) => {
        const work = files.map((each) => ({ ...fact, files: [each] })).reduce(addFact, EMPTY_BATCH);
        const some = { agent: "hephaestus", isWorking: true, work };
        const cut = { last: last.slice(0, 600), said: said.slice(0, 4).map((each) => each.slice(0, 160)) };
        const whole = renderReturn({ ...some, ...cut }, true);
        expect(whole.length).toBeLessThanOrEqual(MAX_TEXT);
      }),
      { numRuns: 30 },
    );
  });
});
