import { beforeEach, expect, it } from "vitest";
import { EMPTY_BATCH } from "../../../src/conversation/collaboration/batch.ts";
import { createOwnWork, type OwnWork } from "../../../src/conversation/own-work/own-work.ts";
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
const state = { batch: EMPTY_BATCH, workUnit: null };

beforeEach(() => {
  clock = createFakeClock();
  bytes = async (id) => Buffer.from(id);
});

/** @param changes of the batch that an earlier process left */
function open(changes: readonly TreeChange[], isOver = false): OwnWork {
  const services = createTestServices({ clock });
  const workWatch = {
    ...services.workWatch,
    trees: { bytes: async ({ id }: { id: string }) => bytes(id) } as never,
  };
  const load = async () => ({ changes, isOver });
  return createOwnWork({ rootId: "root", state } as never, {
    ...services,
    workStore: { ...services.workStore, load },
    treeOf: () => ({ ...services, workWatch }),
  });
}
const packet = async (work: OwnWork): Promise<string> =>
  [...(await work.changedLines()).values()].flat().join("\n");

it("are those of their own batch, and stay so while the next one is under way", async () => {
  const work = open([change("two\n")]);
  const first = packet(work);
  for (const batch of [{ ...EMPTY_BATCH }, EMPTY_BATCH]) {
    state.batch = batch;
    work.heard?.({ type: "next" });
  }
  expect(await first).toContain("1 + two");
});

it("are no other batch's where nothing has changed in it", async () => {
  const work = open([change("three\n")], true);
  expect(await packet(work)).toBe("");
});

it("hold no check-in up, and spoil none", async () => {
  const work = open([change("two\n")]);
  bytes = async () => new Promise(() => undefined);
  const late = packet(work);
  await clock.advance(3_000);
  expect(await late).toBe("");
  bytes = async () => Promise.reject(new Error("disk"));
  expect(await packet(work)).toBe("");
});
