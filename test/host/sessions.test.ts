import { expect, it } from "vitest";
import { createOpenCodeClient } from "../../src/host/opencode/client.ts";
import { createSessions } from "../../src/host/opencode/sessions.ts";
import { createFakeClock } from "../support/fake-clock.ts";

/** Sessions over an OpenCode whose answers to posts come in this order; the last one repeats. */
function setUp(answers: readonly object[]) {
  const left = [...answers];
  let asked = 0;
  const post = async () => {
    asked += 1;
    return left.length > 1 ? left.shift() : left[0];
  };
  const client = createOpenCodeClient({ _client: { post } } as never, createFakeClock());
  return { sessions: createSessions(client), asked: () => asked };
}

const FAILS = { error: { name: "UnknownError" } };

it("asks again for the end of a session that OpenCode did not confirm", async () => {
  const { sessions, asked } = setUp([FAILS, FAILS, { data: true }]);
  await sessions.abort("ses_1");
  expect(asked()).toBe(3);
});

it("does not ask for ever", async () => {
  const { sessions, asked } = setUp([FAILS]);
  await expect(sessions.abort("ses_1")).rejects.toThrow(/refused post .*abort/);
  expect(asked()).toBe(3);
});
