import { describe, expect, it } from "vitest";
import { createCallDeeds } from "../../../src/conversation/tool-calls/tool-calls.ts";
import type { Deed } from "../../../src/delegation/deeds.ts";
import type { Effect } from "../../../src/policy/examination.ts";
import { examined } from "../../support/examination.ts";

const PLACE = { directory: "/p", project: "/p" };
const EDIT = { kind: "edit", isPatch: false, edits: [] } as const;
const COMMAND = { kind: "command", command: "npm i", workdir: null } as const;

const scene = (isOneShot = false, rejected: readonly string[] = []) => {
  const noted: Deed[] = [];
  const deeds = createCallDeeds({
    redact: (text) => text,
    isOneShot,
    wasRejected: (callId) => rejected.includes(callId),
    note: (_session, deed) => void noted.push(deed),
  });
  return { noted, deeds };
};
const call = (effect: typeof EDIT | typeof COMMAND, what: Effect = "project", isRecord = false) => ({
  callId: "c",
  sessionId: "child",
  effect,
  examination: examined(what),
  isRecord,
  target: effect === EDIT ? { path: "/p/src/a.ts" } : { text: "npm i" },
  place: PLACE,
});
const REJECTED = "The user rejected permission to use this specific tool call.";

describe("what became of a specialist's call", () => {
  it.each<[string, string, boolean, object]>([
    ["a person's no", REJECTED, false, { what: "the edit of src/a.ts", by: "user" }],
    ["nobody's no", REJECTED, true, { by: "nobody" }],
    [
      "the plugin's own no",
      `${REJECTED} with the following feedback: Refused: a secret.`,
      false,
      { by: "plugin" },
    ],
    [
      "the plugin's no where nobody is there",
      `${REJECTED} with the following feedback: Refused: x, and nobody is here to be asked. It is left.`,
      true,
      { by: "nobody" },
    ],
    [
      "a rule's no",
      "The user has specified a rule which prevents you from using this specific tool call.",
      false,
      { by: "rule" },
    ],
  ])("tells of %s", (_name, error, isOneShot, deed) => {
    const { noted, deeds } = scene(isOneShot);
    expect(deeds.failed(call(EDIT), error)).toBe(true);
    expect(noted).toEqual([expect.objectContaining({ kind: "denied", ...deed })]);
  });

  it("takes a request that was answered with no for that, whatever the error says", () => {
    const { noted, deeds } = scene(false, ["c"]);
    expect(deeds.failed(call(COMMAND), "something else")).toBe(true);
    expect(noted).toEqual([{ kind: "denied", what: "`npm i`", by: "user" }]);
  });

  it("names a long command by its beginning", () => {
    const { noted, deeds } = scene();
    deeds.failed({ ...call(COMMAND), target: { text: `npm i ${"x ".repeat(90)}` } }, REJECTED);
    expect(noted).toEqual([expect.objectContaining({ what: expect.stringMatching(/^`npm i [x …]{54}`$/) })]);
  });

  it("is no word about one that failed by itself, that looks, or that writes the record", () => {
    const { noted, deeds } = scene();
    expect(deeds.failed(call(EDIT), "oldString not found")).toBe(false);
    deeds.done(call(COMMAND, "read"));
    deeds.done(call(EDIT, "project", true));
    deeds.refused(call(COMMAND, "read"), PLACE);
    expect(noted).toEqual([]);
    deeds.done(call(COMMAND));
    deeds.refused(call(EDIT), PLACE);
    expect(noted).toEqual([{ kind: "done" }, { kind: "denied", what: "the edit of src/a.ts", by: "plugin" }]);
  });
});
