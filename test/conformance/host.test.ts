import { describe, expect, it } from "vitest";
import { type Fault, playInMemory, type Vocabulary } from "../support/memory-host.ts";
import { HOST_NEEDS, unmet } from "./host-needs.ts";

/** A host that shares no word with another one. */
const SECOND: Vocabulary = {
  command: ["run", "line"],
  edit: ["replace", "file", "from", "to"],
  write: ["put", "file", "content"],
  read: ["look", "file"],
  patch: ["apply", "diff"],
  subtask: ["spawn", "order"],
  isLossy: false,
};
/** OpenCode 2, as it was seen. */
const OPENCODE_2: Vocabulary = {
  command: ["shell", "command"],
  edit: ["edit", "path", "oldString", "newString"],
  write: ["write", "path", "content"],
  read: ["read", "path"],
  patch: ["patch", "patchText"],
  subtask: ["subagent", "prompt"],
  isLossy: true,
};

/** Each fault, and the need that has to name it. */
const FAULTS: Record<Fault, string> = {
  "a command under another tool's name": "gate-command",
  "a path under another argument's name": "gate-edit",
  "a patch under another tool's name": "gate-patch",
  "a delegation under another tool's name": "gate-subtask",
  "the hook before a call never fires": "gate-command",
  "a refusal is overheard": "refusal-holds",
  "a refusal reaches the model without its words": "refusal-told",
  "a refusal ends the turn": "turn-goes-on",
  "no exit code": "outcome",
  "the hook of a prompt never fires": "user-message",
  "a throw in context kills the turn": "turn-goes-on",
  "the prompt's additions are dropped": "system-prompt",
  "a child's parent is dropped": "child-kept",
  "a note is sent to the model": "note-unseen",
  "our tools are offered to everybody": "tools-hidden",
  "a call has another name in its tool": "own-tool",
  "a request that is refused is sent": "request-held",
  "a reading under another argument's name": "gate-read",
  "a prompt ends before its answer": "prompt-answered",
};

// The same needs are asked of the real OpenCode in test/e2e/host-needs.test.ts.
describe.each([
  ["of another vocabulary", SECOND],
  ["as OpenCode 2 was seen", OPENCODE_2],
])("a host %s", (_name, words) => {
  it("is what the product needs, through an adapter of its own", async () => {
    expect(unmet(await playInMemory(words))).toEqual([]);
  });

  it.each(Object.entries(FAULTS) as [Fault, string][])("is refused where %s: %s", async (fault, need) => {
    expect(unmet(await playInMemory(words, fault))).toContain(need);
  });
});

it("names each need once, and has a fault for each", () => {
  const ids = HOST_NEEDS.map(({ id }) => id);
  expect([...new Set(Object.values(FAULTS))].toSorted()).toEqual(ids.toSorted());
});
