import { beforeEach, describe, expect, it } from "vitest";
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
  mirror = createMirror(host, clock, "root", () => values);
});

describe("the mirror", () => {
  it("writes a burst of changes once, and what has not changed not at all", async () => {
    values = { a: 1, activeMs: 0 };
    for (let n = 0; n < 10; n += 1) mirror.touch();
    await clock.advance(1_000);
    expect(writes).toEqual([{ at: 300, values }]);
    mirror.touch();
    values = { a: 1, activeMs: 5 };
    await clock.advance(1_000);
    expect(writes).toHaveLength(1);
    values = { a: 2, activeMs: 6 };
    mirror.touch();
    await clock.advance(1_000);
    expect(writes[1]?.values).toEqual({ a: 2, activeMs: 6 });
  });

  it("shows in the panel nothing that steers a terminal, and keeps the state as it is", async () => {
    values = { state: "a\u001B[2Jb", [PANEL_KEY]: { tasks: [{ title: "a\u001B[2Jb\u202Ec" }], left: 3 } };
    mirror.touch();
    await clock.advance(300);
    expect(writes[0]?.values).toEqual({
      state: "a\u001B[2Jb",
      [PANEL_KEY]: { tasks: [{ title: "abc" }], left: 3 },
    });
  });

  it("leaves time between writes, however fast the changes come", async () => {
    for (let n = 0; n < 100; n += 1) {
      values = { a: n };
      mirror.touch();
      await clock.advance(20);
    }
    const gaps = writes.slice(1).map(({ at }, index) => at - (writes[index]?.at ?? 0));
    expect(writes.length).toBeGreaterThan(4);
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(250);
  });

  it("writes at once what a crash must not take, and the rest with it", async () => {
    mirror.touch();
    mirror.hurry();
    mirror.hurry();
    await clock.advance(20);
    expect(writes).toEqual([{ at: 20, values: { a: 1 } }]);
    await clock.advance(1_000);
    expect(writes).toHaveLength(1);
  });

  it("says when what a crash must not take is written, and writes it for that without delay", async () => {
    mirror.touch();
    await mirror.settled();
    expect(writes).toEqual([]);
    mirror.hurry();
    await mirror.settled();
    expect(writes).toEqual([{ at: 0, values: { a: 1 } }]);
    await clock.advance(1_000);
    expect(writes).toHaveLength(1);
  });

  it("waits for what came while a write was on its way, and writes it once for all who wait", async () => {
    const finish: (() => void)[] = [];
    answer = async () =>
      new Promise((resolve) => {
        finish.push(resolve);
      });
    mirror.hurry();
    await clock.advance(20);
    values = { a: 2 };
    mirror.hurry();
    let settled = 0;
    for (let n = 0; n < 2; n += 1) void mirror.settled().then(() => (settled += 1));
    await clock.advance(0);
    expect(writes).toHaveLength(1);
    finish[0]?.();
    await clock.advance(0);
    expect([writes.at(-1)?.values, settled]).toEqual([{ a: 2 }, 0]);
    finish[1]?.();
    await clock.advance(0);
    expect([writes.length, settled]).toEqual([2, 2]);
  });

  it("holds nobody up for longer than a second, nor for what failed and is tried again", async () => {
    answer = async () => new Promise(() => undefined);
    mirror.hurry();
    const held = mirror.settled();
    await clock.advance(1_000);
    await held;
    mirror = createMirror(host, clock, "root", () => values);
    answer = async () => Promise.reject(new Error("no"));
    mirror.hurry();
    await mirror.settled();
    const count = writes.length;
    await mirror.settled();
    expect(writes).toHaveLength(count);
  });

  it("writes all of it again when it is told to, and after a write that failed", async () => {
    mirror.touch();
    await clock.advance(300);
    mirror.renew();
    answer = async () => Promise.reject(new Error("no"));
    await clock.advance(300);
    mirror.touch();
    await clock.advance(300);
    expect(writes).toHaveLength(3);
  });

  it("tries what failed again by itself until it is written, less and less often", async () => {
    answer = async () => Promise.reject(new Error("no"));
    mirror.touch();
    await clock.advance(30_000);
    expect(writes.map(({ at }) => at)).toEqual([300, 1_300, 6_300, 21_300]);
    answer = async () => undefined;
    await clock.advance(60_000);
    expect(writes.at(-1)).toEqual({ at: 81_300, values: { a: 1 } });
    await clock.advance(600_000);
    expect(writes).toHaveLength(5);
    expect(clock.pending).toBe(0);
  });

  it("does not keep waiting what is new while it waits to try again, and gives up in the end", async () => {
    answer = async () => Promise.reject(new Error("no"));
    mirror.touch();
    await clock.advance(10_000);
    values = { a: 2 };
    mirror.touch();
    await clock.advance(300);
    expect(writes.at(-1)).toEqual({ at: 10_300, values: { a: 2 } });
    await clock.advance(24 * 60 * 60_000);
    expect(writes.length).toBeLessThan(40);
    expect(clock.pending).toBe(0);
    answer = async () => undefined;
    mirror.touch();
    await clock.advance(300);
    mirror.touch();
    await clock.advance(300);
    expect(writes.at(-1)?.values).toEqual({ a: 2 });
  });

  it("leaves a session that is gone alone, and no timer behind", async () => {
    values = null;
    mirror.touch();
    await clock.advance(300);
    mirror.touch();
    mirror.dispose();
    mirror.touch();
    expect(clock.pending).toBe(0);
    expect(writes).toEqual([]);
  });
});
