import { beforeEach, describe, expect, it } from "vitest";
import { sealState } from "../../src/conversation/collaboration/state.ts";
import { createConversations, type Conversations } from "../../src/conversation/conversations.ts";
import type { KnobSetting } from "../../src/config/knobs.ts";
import { createKept } from "../../src/conversation/part.ts";
import { createSeal } from "../../src/lib/seal.ts";
import { SNAPSHOT_KEY } from "../../src/conversation/display/metadata-keys.ts";
import { createGaiaSessions, ROOT_MARK } from "../../src/delegation/gaia-sessions.ts";
import { silentLogger } from "../../src/lib/error.ts";
import type { FakeClock } from "../support/fake-clock.ts";
import { DEFAULTS, play, set } from "./collaboration/session.ts";
import type { FakeHost } from "../support/fake-host.ts";
import { createTestServices, type TestServices } from "../support/services.ts";

const AUTOPILOT = play([set({ knob: "mode", value: "autopilot" })]).state;
const { seal } = createTestServices();

let services: TestServices;
let host: FakeHost;
let clock: FakeClock;
let root: string;
const openConversations = (): Conversations => createConversations(services);
const conversationOf = async (conversations: Conversations, id: string) => {
  const found = await conversations.of(id);
  if (found === null) throw new Error(`${id} is no GAIA session`);
  return found.conversation;
};

beforeEach(async () => {
  services = createTestServices();
  ({ host, clock } = services);
  root = (await host.sessions.create({ parentId: "", title: "root", agent: "gaia" })).id;
  services.sessions.spoke(root, "gaia", null);
});

describe("conversations", () => {
  it("are opened once, however many ask at the same time", async () => {
    const conversations = openConversations();
    const [first, second] = await Promise.all([
      conversationOf(conversations, root),
      conversationOf(conversations, root),
    ]);
    expect(first).toBe(second);
  });

  it("write one snapshot for a burst of changes, and pick it up without its approval", async () => {
    const conversation = await conversationOf(openConversations(), root);
    conversation.dispatch({ type: "command", change: { knob: "visibility", value: "live" } });
    conversation.dispatch({
      type: "permission-asked",
      requestId: "p",
      sessionId: root,
      tool: "x",
      approval: { kind: "wave", workUnit: "u", wave: "w1" },
    });
    conversation.dispatch({ type: "permission-replied", requestId: "p", reply: "once", by: "human" });
    expect(conversation.state.wave?.approved).toBe(true);
    await clock.advance(300);
    expect(host.stored.get(root)?.metadata[SNAPSHOT_KEY]).toMatchObject({ wave: { approved: true } });
    // A restarted OpenCode knows the conversation as GAIA's before anyone speaks in it.
    expect(await createGaiaSessions(host, "gaia").find(root)).toMatchObject({
      rootId: root,
      specialist: null,
    });
    const again = await conversationOf(openConversations(), root);
    expect(again.state).toMatchObject({ knobs: { visibility: "live" }, wave: { id: "w1", approved: false } });
    conversation.dispose();
    again.dispose();
  });

  it.each([
    ["the snapshot is broken", { [SNAPSHOT_KEY]: { version: 1, wave: "approved" } }],
    ["another user's plugin has written it", { [SNAPSHOT_KEY]: sealState(AUTOPILOT, createSeal()) }],
    ["it was changed since", { [SNAPSHOT_KEY]: { ...sealState(AUTOPILOT, seal), workUnit: "other" } }],
    ["only the mark of the conversation is left", ROOT_MARK],
  ])("are locked where %s, and the user is told", async (_what, metadata) => {
    await host.sessions.setMetadata(root, metadata);
    const { state } = await conversationOf(openConversations(), root);
    expect(state).toMatchObject({ wave: null, knobs: { mode: "locked" } });
    expect(host.toasts).toEqual([expect.stringContaining("locked")]);
  });

  it("keep to the stricter mode of two OpenCodes: before a write and when their user speaks, and never to a looser one", async () => {
    // The seal of the other tests is the same for texts of one length.
    services = { ...services, seal: createSeal() };
    const [one, other] = [
      await conversationOf(openConversations(), root),
      await conversationOf(openConversations(), root),
    ];
    const says = async (where: typeof one, change: KnobSetting): Promise<void> => {
      await where.heedOthers();
      where.dispatch({ type: "command", change });
      await clock.advance(1_000);
    };
    await says(other, { knob: "mode", value: "autopilot" });
    await says(one, { knob: "mode", value: "locked" });
    // What would be written holds autopilot still.
    other.dispatch({ type: "command", change: { knob: "visibility", value: "live" } });
    await clock.advance(1_000);
    expect(other.state.knobs).toMatchObject({ mode: "locked", visibility: "live" });
    await says(one, { knob: "mode", value: "supervised" });
    await other.heedOthers();
    expect([one.state.knobs.mode, other.state.knobs.mode]).toEqual(["supervised", "locked"]);
    await says(other, { knob: "mode", value: "autopilot" });
    await says(one, { knob: "mode", value: "locked" });
    await other.heedOthers();
    expect(other.state.knobs.mode).toBe("locked");
    one.dispose();
    other.dispose();
  });

  it("are not opened while OpenCode does not tell what they are, and are as soon as it does", async () => {
    await host.sessions.setMetadata(root, { [SNAPSHOT_KEY]: { version: 1, wave: "approved" } });
    const { get } = host.sessions;
    host.sessions.get = async () => {
      throw new Error("no answer");
    };
    const conversations = openConversations();
    await expect(conversations.of(root)).rejects.toThrow("no answer");
    host.sessions.get = get;
    expect((await conversationOf(conversations, root)).state.knobs.mode).toBe("locked");
  });

  it("leave a session in which a specialist was called by name as it is, and keep to asking", async () => {
    services = createTestServices({
      host,
      clock,
      defaults: { ...DEFAULTS, mode: "autopilot", visibility: "live", interaction: "pair" },
      sessions: createGaiaSessions(host, "gaia", (agent) => agent === "minerva"),
    });
    services.sessions.spoke(root, "minerva", null);
    const conversation = await conversationOf(openConversations(), root);
    expect(conversation.state.knobs).toMatchObject({ mode: "supervised", interaction: "standard" });
    conversation.dispatch({ type: "command", change: { knob: "visibility", value: "live" } });
    await clock.advance(1_000);
    expect(host.stored.get(root)?.metadata).toEqual({});
    conversation.dispose();
  });

  it("look at the budgets while somebody works, and leave no timer behind", async () => {
    const conversations = openConversations();
    const conversation = await conversationOf(conversations, root);
    conversation.dispatch({ type: "command", change: { knob: "mode", value: "autopilot" } });
    conversation.dispatch({ type: "delegation-started", sessionId: "child" });
    for (let minute = 0; minute < 21; minute += 1) await clock.advance(60_000);
    expect(conversation.state.pause).toMatchObject({ reason: "budget" });
    await conversations.dispose();
    expect(clock.pending).toBe(0);
  });
});

it("after a restart a conversation is held to what it was held to, although it ended a moment after the change", async () => {
  const conversations = openConversations();
  const before = (await conversationOf(conversations, root)).parts;
  before.planning.begin({ kind: "planning", reviews: 0 });
  before.planning.countReview();
  before.questions.collect({
    task_id: "t1",
    status: "completed",
    agent: "minerva",
    parsed_json: { assumptions: [{ text: "JWT", confidence: 0.8 }] },
  });
  await clock.advance(25);
  await conversations.dispose();
  const { parts } = await conversationOf(openConversations(), root);
  expect(parts.planning.stage()).toEqual({ kind: "planning", reviews: 1 });
  expect(parts.questions.pending()).toMatchObject([{ text: "JWT", confidence: 0.8, agent: "minerva" }]);
});

describe("what the parts of a conversation keep", () => {
  const seal = createSeal();
  const open = (saved: unknown, rootSession = "root", by = seal) =>
    createKept(saved, rootSession, silentLogger, by, () => undefined);
  /** What each of these is given back of what was kept for the conversation `root`. */
  const restored = (kept: unknown, rootSession = "root"): unknown[] => {
    const { remember } = open(kept, rootSession);
    return ["a", "empty", "greedy", "b"].flatMap((name) => remember<unknown>(name, null).now ?? []);
  };
  const { remember, sealed } = open(null);
  remember<unknown>("a", null).now = { n: 1 };
  remember("empty", null);
  remember("greedy", "").now = "x".repeat(8_000);
  remember<unknown>("b", null, (value) => [value]).now = 2;
  const kept = sealed();

  it("is what each gives, without those that have nothing or too much", () => {
    expect(restored(structuredClone(kept))).toEqual([{ n: 1 }, 2]);
  });

  it("is a fork's as far as it holds work to something: a plan that waits for a yes", async () => {
    const planning = { kind: "planning", reviews: 0 } as const;
    const original = await conversationOf(openConversations(), root);
    original.parts.planning.begin(planning);
    original.parts.questions.collect({
      task_id: "t1",
      status: "completed",
      agent: "minerva",
      parsed_json: { assumptions: [{ text: "JWT", confidence: 0.8 }] },
    });
    await clock.advance(300);
    const fork = (await host.sessions.create({ parentId: "", title: "fork", agent: "gaia" })).id;
    Object.assign(host.stored.get(fork)?.metadata ?? {}, host.stored.get(root)?.metadata);
    services.sessions.spoke(fork, "gaia", null);
    const { parts } = await conversationOf(openConversations(), fork);
    expect([parts.planning.stage(), parts.questions.pending()]).toEqual([planning, []]);
  });

  it("is of no use to a fork, nor where anyone but this user's plugin has written it", () => {
    const forged = { ...kept, text: kept.text.replace('"n":1', '"n":2') };
    const others = [
      null,
      7,
      {},
      { text: kept.text },
      forged,
      { ...kept, seal: createSeal(() => "x")(kept.text) },
    ];
    for (const each of others) expect(restored(each)).toEqual([]);
    expect(restored(kept, "fork")).toEqual([]);
  });
});
