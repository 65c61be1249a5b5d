import { beforeEach, expect, it } from "vitest";
import { createMirror } from "../../../src/conversation/display/mirror.ts";
import { PANEL_KEY } from "../../../src/conversation/display/metadata-keys.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";
import { createFakeHost, type FakeHost } from "../../support/fake-host.ts";

let host: FakeHost;
let clock: FakeClock;
let mirror: ReturnType<typeof createMirror>;
let values: Record<string, unknown> | null;
let writes: { at: number; values: unknown }[];
/** What OpenCode does with a write. */
let answer: () => Promise<void>;

beforeEach(() => {
  host = createFakeHost();
  clock = createFakeClock(0);
  values = { a: 1 };
  writes = [];
  answer = async () => undefined;
  host.sessions.setMetadata = async (_id, written) => {
    writes.push({ at: clock.now(), values: written });
    await answer();
  };
  mirror = createMirror(
    host,
    clock,
    "root",
    () => values,
    async () => undefined,
    () => undefined,
  );
});

it("the mirror writes a burst of changes once, and what has not changed not at all", async () => {
  values = { a: 1, activeMs: 0 };
  for (let n = 0; n < 10; n += 1) mirror.touch();
  await clock.advance(1_000);
  expect(writes).toEqual([{ at: 20, values }]);
  mirror.touch();
  values = { a: 1, activeMs: 5 };
  await clock.advance(1_000);
  expect(writes).toHaveLength(1);
  values = { a: 2, activeMs: 6 };
  mirror.touch();
  await clock.advance(1_000);
  expect(writes[1]?.values).toEqual({ a: 2, activeMs: 6 });
});

it("the mirror shows in the panel nothing that steers a terminal, and keeps the state as it is", async () => {
  values = { state: "a\u001B[2Jb", [PANEL_KEY]: { tasks: [{ title: "a\u001B[2Jb\u202Ec" }], left: 3 } };
  mirror.touch();
  await clock.advance(300);
  expect(writes[0]?.values).toEqual({
    state: "a\u001B[2Jb",
    [PANEL_KEY]: { tasks: [{ title: "abc" }], left: 3 },
  });
});

it("the mirror leaves a gap between writes that nobody waits for, and writes at once what someone waits for", async () => {
  mirror.touch();
  await clock.advance(20);
  values = { a: 2 };
  mirror.touch();
  await clock.advance(299);
  expect(writes).toEqual([{ at: 20, values: { a: 1 } }]);
  await mirror.settled();
  expect(writes[1]).toEqual({ at: 319, values: { a: 2 } });
  await clock.advance(1_000);
  expect(writes).toHaveLength(2);
});

it("the mirror leaves a session that is gone alone, and no timer behind", async () => {
  values = null;
  mirror.touch();
  await clock.advance(300);
  mirror.touch();
  mirror.dispose();
  mirror.touch();
  expect(clock.pending).toBe(0);
  expect(writes).toEqual([]);
});
