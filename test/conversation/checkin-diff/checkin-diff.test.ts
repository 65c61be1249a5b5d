import { beforeEach, describe, expect, it } from "vitest";
import { createCheckinDiff, type CheckinDiff } from "../../../src/conversation/checkin-diff/checkin-diff.ts";
import type { TreeChange } from "../../../src/snapshot/version.ts";
import { createFakeClock, type FakeClock } from "../../support/fake-clock.ts";
import { createTestServices } from "../../support/services.ts";

const version = (id: string) => ({ id, mode: "100644" });
const change = (after: string): TreeChange => ({
  path: "a.txt",
  before: version("one\n"),
  after: version(after),
});

let clock: FakeClock;
let bytes: (id: string) => Promise<Buffer | null>;
let batches: Record<"now" | "last", readonly TreeChange[]>;
let looked: number;
let learnt: object[];

beforeEach(() => {
  clock = createFakeClock();
  bytes = async (id) => Buffer.from(id);
  batches = { now: [change("two\n")], last: [change("three\n")] };
  looked = 0;
  learnt = [];
});

function open(): CheckinDiff {
  const services = createTestServices({ clock });
  const workWatch = {
    ...services.workWatch,
    trees: { bytes: async ({ id }: { id: string }) => bytes(id) } as never,
    look: async () => {
      looked += 1;
      return null;
    },
  };
  const conversation = { learn: (facts: object = {}) => void learnt.push(facts) };
  return createCheckinDiff(
    conversation,
    { ...services, workWatch },
    { batchChanges: async (which) => batches[which] },
  );
}
const packet = async (diff: CheckinDiff): Promise<string> =>
  diff.packet((changed) => [...changed.values()].flat().join("\n"));

describe("the changes of a check-in", () => {
  it("are those of its own batch, and stay so while the next one is under way", async () => {
    const diff = open();
    expect(await packet(diff)).toContain("1 + two");
    batches = { now: [change("four\n")], last: [change("two\n")] };
    expect(await diff.patches()).toContain("-one\n+two\n");
    expect(looked).toBe(0);
  });

  it("are no other batch's where nothing has changed in it", async () => {
    batches = { ...batches, now: [] };
    const diff = open();
    expect(await packet(diff)).toBe("");
    expect(await diff.patches()).toBe("");
  });

  it("are read again after a restart, from the folder as it is now", async () => {
    const diff = open();
    expect(await diff.patches()).toContain("+three");
    expect(looked).toBe(1);
  });

  it("hold no check-in up, and spoil none", async () => {
    const diff = open();
    bytes = async () => new Promise(() => undefined);
    const late = packet(diff);
    await clock.advance(3_000);
    expect(await late).toBe("");
    bytes = async () => Promise.reject(new Error("disk"));
    expect(await packet(diff)).toBe("");
  });

  it("leave the session's metadata when the user goes on", () => {
    open().userSpoke?.("command");
    expect(learnt).toEqual([{ status: null }]);
  });
});
