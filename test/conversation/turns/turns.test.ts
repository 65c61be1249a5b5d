import { beforeEach, describe, expect, it } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import type { HostEvent } from "../../../src/host/port.ts";
import { sessionOf, keyed } from "../../support/fake-host.ts";
import { createTestServices, openConversation } from "../../support/services.ts";

const sessionId = "root";
const tokens = { input: 0, output: 0, cached: 0 };
const status = (value: "busy" | "idle"): HostEvent => ({ type: "session.status", sessionId, status: value });
const todos: HostEvent = { type: "todos.updated", sessionId, open: 2 };
const worked: HostEvent = {
  type: "tool.activity",
  sessionId,
  messageId: "m",
  partId: "p",
  callId: keyed("c"),
  tool: "delegate_gaia",
  kind: "other",
  status: "completed",
  title: "",
};
const answered: HostEvent = {
  type: "message.finished",
  sessionId,
  messageId: "m",
  isAnswer: true,
  tokens,
  cost: 0,
};

let services: ReturnType<typeof createTestServices>;
let conversation: Conversation;
let sent: string[];
let notes: string[];
const hear = async (...events: HostEvent[]): Promise<void> => {
  for (const event of events) conversation.each((part) => part.observe?.(event, true));
  await services.clock.advance(0);
  for (let round = 0; round < 20; round += 1) await new Promise(setImmediate);
};

beforeEach(async () => {
  services = createTestServices();
  const { host, sessions } = services;
  host.stored.set(sessionId, sessionOf(sessionId));
  sent = [];
  notes = [];
  host.sessions.wake = async (_id, _to, text) => void sent.push(text);
  host.sessions.note = async (_id, _to, text) => void notes.push(text);
  sessions.spoke(sessionId, "gaia", null);
  ({ conversation } = await openConversation(services));
});

describe("a turn", () => {
  it("that rests has its notes written, and goes on with what is open, once", async () => {
    await hear(status("busy"), todos, worked);
    conversation.outbox.note("Seen.");
    await hear(answered, status("idle"), status("idle"));
    expect([notes, sent]).toEqual([
      ["Seen."],
      ["Still open: 2 todos. Go on, ask with question, or say why you stop."],
    ]);
    await hear(status("busy"), worked, answered, status("idle"));
    expect(sent).toHaveLength(1);
    conversation.userSpoke("message");
    await hear(status("busy"), worked, answered, status("idle"));
    expect(sent).toHaveLength(2);
  });

  it("whose end was not told is looked for, and is told to all", async () => {
    services.host.looks.set(sessionId, { busy: false, requests: [] });
    await hear(status("busy"), answered);
    await services.clock.advance(15_000);
    await hear();
    expect([conversation.busy, conversation.state.idle]).toEqual([false, true]);
  });

  it.each([
    ["is ended where nothing is heard of its model", () => undefined, 1],
    ["is left alone where OpenCode is asked and something is heard meanwhile", () => hear(worked), 0],
    ["is left alone where it has ended meanwhile", () => hear(status("idle")), 0],
  ])("%s", async (_name, meanwhile, count) => {
    const { host, bounds, turnStallMs } = services;
    let answer: () => void = () => undefined;
    host.sessions.look = async () =>
      new Promise((resolve) => {
        answer = () => resolve({ busy: true, requests: [] });
      });
    await hear(status("busy"));
    await services.clock.advance(turnStallMs);
    await meanwhile();
    answer();
    await hear();
    expect(host.aborted).toHaveLength(count);
    expect(bounds.heldBy(sessionId) === null).toBe(count === 0);
  });
});

it("names what was refused, not the tool that asked", async () => {
  const requestId = "p";
  const of = { sessionId: "child", requestId } as const;
  const asked = { permission: "edit", kind: "other", patterns: ["b.txt"], always: [], metadata: {} } as const;
  await hear({ type: "permission.asked", ...of, ...asked, callId: null });
  conversation.dispatch({ type: "permission-asked", ...of, tool: "write" });
  conversation.dispatch({ type: "permission-replied", requestId, reply: "reject", by: "human" });
  expect(conversation.parts.turns.now().no).toBe("you said no (edit: b.txt)");
});

it("tells once how stopped work ended, when what was stopped with it has ended", async () => {
  await hear(status("busy"), worked);
  const run = conversation.parts.runs.begin({
    unit: "sum",
    callId: "c",
    control: new AbortController(),
    rests: false,
  });
  const failure = { reason: "aborted", message: "", promptSaved: true } as const;
  await hear({ type: "session.error", sessionId, failure }, status("idle"));
  await services.clock.advance(1_000);
  await hear();
  expect(notes).toEqual([]);
  run?.end({});
  await hear();
  expect(notes).toEqual([expect.stringMatching(/^GAIA: stopped: you stopped it · 0 delegations · [^\n]*$/u)]);
  await hear(status("idle"));
  await services.clock.advance(1_000);
  await hear();
  expect(notes).toHaveLength(1);
});

it("a call that GAIA waits for is let go once the user has written and OpenCode has their words", async () => {
  let isLetGo = false;
  conversation.parts.turns.waitFor(() => {
    isLetGo = true;
  });
  const end = conversation.parts.turns.waitFor(() => expect.unreachable("it has ended"));
  await hear({ type: "text.activity", sessionId });
  conversation.userSpoke("message");
  expect(isLetGo).toBe(false);
  end();
  await hear({ type: "text.activity", sessionId });
  expect(isLetGo).toBe(true);
});
