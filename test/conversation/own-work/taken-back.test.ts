import { expect, it } from "vitest";
import type { Conversation } from "../../../src/conversation/conversation.ts";
import { stepTo } from "../../../src/conversation/own-work/taken-back.ts";
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

it("says nothing of what was taken back where nothing of GAIA's was under way", async () => {
  const { host, conversation } = await compose().then(async (all) => ({
    ...all,
    conversation: await all.conversation(),
  }));
  tell(conversation, "msg_1");
  expect([host.toasts, conversation.takeLines()]).toEqual([[], []]);
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

it("leaves nothing to look at or to undo", async () => {
  const { conversation } = await open();
  const files = [{ path: "a.txt", added: 1, removed: 0 }];
  conversation.dispatch({ type: "files-changed", files });
  expect(conversation.state.batch.files).toEqual(files);
  tell(conversation, "msg_1");
  expect([conversation.state.batch.files, conversation.state.lastBatch.files]).toEqual([[], []]);
  expect((await conversation.parts.ownWork.undoLast()).why).not.toBeNull();
});

/** The user's messages have words, the plugin's notes have none. */
const SPOKEN = [
  { id: "u1", words: "First" },
  { id: "n1", words: null },
  { id: "n2", words: null },
  { id: "u2", words: "" },
  { id: "n3", words: null },
];

it.each([
  ["from the end to a note: back to the user's last", null, "n3", { id: "u2", words: "" }],
  ["back over several notes", "u2", "n2", { id: "u1", words: "First" }],
  ["to a message of the user's", "u2", "u1", "here"],
  ["forth to a note: on to the user's next", "u1", "n1", { id: "u2", words: null }],
  ["forth to a note behind the user's last: all of it", "u2", "n3", "all"],
  ["to what is not known", "u2", "x", "here"],
  ["from what is gone meanwhile", "x", "n1", { id: "u2", words: null }],
])("a step %s", (_name, before, to, expected) => {
  expect(stepTo(SPOKEN, before, to)).toEqual(expected);
});

it("a step back to a note before anything of the user's ends there", () => {
  expect(stepTo([{ id: "n", words: null }], null, "n")).toBe("here");
});
