import { expect, it } from "vitest";
import { createGaiaSessions } from "../../src/delegation/gaia-sessions.ts";
import type { HostEvent } from "../../src/host/port.ts";
import { createFakeHost } from "../support/fake-host.ts";

const created = (id: string, metadata = {}): HostEvent => ({
  type: "session.created",
  session: {
    id,
    parentId: null,
    title: "",
    canAsk: false,
    metadata,
    tokens: { input: 0, output: 0, cached: 0 },
    cost: 0,
  },
});
const answered = (sessionId: string): HostEvent => ({
  type: "message.finished",
  sessionId,
  messageId: "m",
  isAnswer: true,
  tokens: { input: 0, output: 0, cached: 0 },
  cost: 0,
});

it("a session is new until something is answered in it; an older one, and one that brings something along, is not", () => {
  const sessions = createGaiaSessions(createFakeHost(), "gaia");
  sessions.observe(created("blank"));
  sessions.observe(created("marked", { gaia: { root: true } }));
  sessions.observe(created("fork"));
  sessions.observe(answered("fork"));
  const isNew = (): string[] => ["blank", "marked", "fork", "older"].filter((id) => sessions.isNew(id));
  expect(isNew()).toEqual(["blank"]);
  sessions.spoke("blank", "gaia", null);
  sessions.observe(answered("blank"));
  expect(isNew()).toEqual([]);
});
