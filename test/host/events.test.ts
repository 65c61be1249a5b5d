import { describe, expect, it } from "vitest";
import { readEvent } from "../../src/host/opencode/events.ts";
import { errorWords } from "../../src/host/opencode/read.ts";
import { readCases } from "../support/cases.ts";

describe("an event of OpenCode's", () => {
  it.each(readCases<[string, object, object | null]>("host/events.read"))(
    "%s %j",
    (type, properties, event) => {
      expect(readEvent({ id: "e", type, properties })).toEqual(event);
    },
  );

  it.each([[null], [{ type: "session.status" }]])("that says nothing here is null: %j", (raw) => {
    expect(readEvent(raw)).toBeNull();
  });

  it.each(readCases<[string, object, object, boolean]>("host/events.same-call"))(
    "knows a call by what was asked and what came back: %s",
    (_what, one, other, isSame) => {
      const traces = [one, other].map((given) => {
        const state = { status: "completed", input: {}, output: "", ...given };
        const ids = { sessionID: "s", messageID: "m", id: "p", callID: "c" };
        const part = { type: "tool", tool: "bash", ...ids, state };
        return (readEvent({ type: "message.part.updated", properties: { part } }) as { trace: string }).trace;
      });
      expect(traces[0]).toMatch(/^.{16}$/);
      expect(traces[0] === traces[1]).toBe(isSame);
    },
  );
});

it.each(readCases<[string, string, unknown, string]>("host/events.failures"))(
  "what a provider says of its failure is read out of %s",
  (_name, before, body, words) => {
    const text = typeof body === "string" ? body : JSON.stringify(body);
    expect(errorWords(before + text)).toBe(words);
  },
);
