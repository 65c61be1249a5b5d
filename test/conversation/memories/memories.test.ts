import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { defaultConfig } from "../../../src/config/defaults.ts";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { sessionOf } from "../../support/fake-host.ts";
import { createTestServices, openConversation } from "../../support/services.ts";

let directory: string;
let conversation: Conversation;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-memories-"));
});
afterEach(async () => {
  conversation.dispose();
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
});

it.each([
  ["autopilot", true, true],
  ["autopilot", false, false],
  ["locked", true, false],
] as const)(
  "what matters goes to the work unit when a turn ends, %s with autoPromote %s: %s",
  async (mode, autoPromote, expected) => {
    const capture = { ...defaultConfig().capture, remember: true, autoPromote };
    const services = createTestServices({ capture }, directory);
    services.host.stored.set("root", sessionOf("root"));
    ({ conversation } = await openConversation(services));
    await services.workspace.createWorkUnit({ slug: "unit", title: "A unit" });
    conversation.dispatch({ type: "work-unit-changed", workUnit: "unit" });
    conversation.dispatch({ type: "command", change: { knob: "mode", value: mode } });
    const { memories } = conversation.parts;
    const notes = await memories.open();
    await notes?.keep(
      { op: "remember", content: "The gateway `npm run gate` is slow", importance: 1 },
      "gaia",
    );
    await notes?.keep({ op: "remember", content: "It rains", importance: 0 }, "gaia");
    conversation.dispatch({ type: "turn-ended" });
    await memories.open();
    const text = await readFile(join(directory, ".gaia/unit/memory.md"), "utf8").catch(() => "");
    expect([text.includes("is slow"), text.includes("It rains")]).toEqual([expected, false]);
  },
);
