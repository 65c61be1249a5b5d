import { expect, it } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import type { HostEvent } from "../../../src/host/port.ts";
import { compose, ROOT } from "../../support/composition.ts";
import { sessionOf } from "../../support/fake-host.ts";

const updated = (takenBackTo: string | null): HostEvent => ({
  type: "session.updated",
  session: sessionOf(ROOT, { takenBackTo }),
});

function tell(conversation: Conversation, takenBackTo: string | null, isRoot = true): void {
  conversation.each((part) => part.observe?.(updated(takenBackTo), isRoot));
}

async function open() {
  const { host, conversation } = await compose();
  const notes: string[] = [];
  host.sessions.note = async (_id, _speaker, text) => void notes.push(text);
  const found = await conversation();
  found.dispatch({ type: "work-unit-changed", workUnit: "unit" });
  found.dispatch({ type: "wave-opened", workUnit: "unit", wave: "w1" });
  await found.outbox.flush();
  for (const list of [notes, host.toasts]) list.length = 0;
  return { host, notes, conversation: found };
}

it("closes the wave and leaves a unit that is gone, once for several steps back", async () => {
  const { host, conversation } = await open();
  tell(conversation, null);
  tell(conversation, "msg_2", false);
  expect(conversation.state.wave).toMatchObject({ id: "w1" });
  tell(conversation, "msg_2");
  tell(conversation, "msg_1");
  expect(conversation.state.wave).toBeNull();
  await expect.poll(() => conversation.state.workUnit).toBeNull();
  expect(host.toasts).toEqual(["Taken back: wave w1 is closed. Approvals are asked for again."]);
  const lines = conversation.takeLines();
  expect(lines.filter((line) => line.includes("(/undo)"))).toEqual([
    "The user took back (/undo) messages; files, the record's too, are as before them as far as OpenCode keeps snapshots. Wave w1 is closed. Look at plan and files before you go on.",
  ]);
});

it("writes nothing into the session as long as it can still be had back", async () => {
  const { conversation, notes } = await open();
  conversation.busy = false;
  tell(conversation, "msg_1");
  conversation.outbox.note("✗ minerva");
  await conversation.outbox.flush();
  expect(conversation.parts.turns.goOn("Go on.")).toBe(false);
  expect(notes).toEqual([]);
  tell(conversation, null);
  await expect.poll(() => notes).toEqual(["✗ minerva"]);
});
