import { describe, expect, it } from "vitest";
import { createOpenCodeClient } from "../../src/host/opencode/client.ts";
import { createSessions } from "../../src/host/opencode/sessions.ts";
import { createFakeClock } from "../support/fake-clock.ts";

const FAILS = { error: { name: "UnknownError" } };

describe("a session's metadata", () => {
  /** Sessions over an OpenCode that keeps one session's metadata. */
  function setUpKept() {
    let metadata: Record<string, unknown> = { theirs: 1 };
    const asked: string[] = [];
    const session = () => ({ data: { id: "ses_1", title: "", metadata } });
    const get = async () => (asked.push("get"), session());
    let isBroken = false;
    const patch = async ({ body }: { body: { metadata: Record<string, unknown> } }) => {
      asked.push("patch");
      if (isBroken) {
        isBroken = false;
        return FAILS;
      }
      metadata = body.metadata;
      return session();
    };
    const clock = createFakeClock();
    const sessions = createSessions(createOpenCodeClient({ _client: { get, patch } } as never, clock), clock);
    const write = async (values: Record<string, unknown>) => {
      await sessions.setMetadata("ses_1", values);
      return metadata;
    };
    const tell = (kept: Record<string, unknown>) =>
      sessions.observe({ type: "session.updated", session: { id: "ses_1", metadata: kept } } as never);
    const writeElsewhere = (values: Record<string, unknown>) => (metadata = { ...metadata, ...values });
    const fail = () => (isBroken = true);
    return { asked, clock, write, tell, writeElsewhere, fail };
  }

  it("keeps what others wrote, told of or longer ago, and what a late event does not know yet", async () => {
    const { clock, write, tell, writeElsewhere } = setUpKept();
    await write({ a: 1 });
    tell(writeElsewhere({ theirs: 2 }));
    expect(await write({ a: 2 })).toEqual({ theirs: 2, a: 2 });
    await write({ b: 1 });
    tell({ theirs: 2, a: 2 });
    expect(await write({ c: 1 })).toEqual({ theirs: 2, a: 2, b: 1, c: 1 });
    writeElsewhere({ theirs: 3 });
    await clock.advance(2_000);
    expect(await write({ a: 3 })).toEqual({ theirs: 3, a: 3, b: 1, c: 1 });
  });

  it("keeps both of two writes at once, and is read again behind one that failed", async () => {
    const { write, writeElsewhere, fail } = setUpKept();
    await Promise.all([write({ a: 1 }), write({ b: 1 })]);
    expect(await write({})).toEqual({ theirs: 1, a: 1, b: 1 });
    fail();
    await expect(write({ c: 1 })).rejects.toThrow("refused patch");
    writeElsewhere({ theirs: 2 });
    expect(await write({ d: 1 })).toEqual({ theirs: 2, a: 1, b: 1, d: 1 });
  });
});
