import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isStale,
  parseBaton,
  renderBaton,
  STALE_AFTER_MS,
  type Holder,
} from "../../../src/record/store/lock.ts";

const holder: Holder = { pid: 42, host: "ab12cd34", renewedAt: 1_000_000, nonce: "00ff" };
const alive = (): boolean => true;
const dead = (): boolean => false;

describe("a baton's name", () => {
  it("reads back as written", () => {
    const hex = fc.stringMatching(/^[0-9a-f]{1,8}$/);
    const holders = fc.record({
      pid: fc.nat({ max: 4_194_304 }),
      host: hex,
      renewedAt: fc.nat({ max: 4_102_444_800_000 }),
      nonce: hex,
    });
    fc.assert(
      fc.property(holders, (some) => {
        expect(parseBaton(renderBaton(some))).toEqual(some);
      }),
    );
  });

  it.each(["free", "", "held", "held-1-2", "held-x-ab-1-ab", ".free.1-ab-ab.tmp"])("is none: %j", (name) => {
    expect(parseBaton(name)).toBeNull();
  });
});

describe("isStale", () => {
  it.each([
    ["a living process", "ab12cd34", 0, alive, false],
    ["a dead process of this host, at once", "ab12cd34", 0, dead, true],
    ["a process of another host, whose id says nothing here", "other", 0, dead, false],
    ["no sign of life for too long, on any host", "other", STALE_AFTER_MS + 1, alive, true],
    ["a process id in use again", "ab12cd34", STALE_AFTER_MS + 1, alive, true],
    ["a sign of life from the future", "ab12cd34", -STALE_AFTER_MS - 1, alive, true],
  ] as const)("%s", (_name, here, age, isAlive, stale) => {
    expect(isStale(holder, here, holder.renewedAt + age, isAlive)).toBe(stale);
  });
});
