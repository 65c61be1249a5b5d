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
let learnt: object[];
const state = { lastBatch: EMPTY_BATCH, workUnit: null };

beforeEach(() => {
  clock = createFakeClock();
  bytes = async (id) => Buffer.from(id);
  learnt = [];
});

/** @param changes of the batch that an earlier process left */
function open(changes: readonly TreeChange[], isOver = false): OwnWork {
  const services = createTestServices({ clock });
  const workWatch = {
    ...services.workWatch,
    trees: { bytes: async ({ id }: { id: string }) => bytes(id) } as never,
  };
  const learn = (facts: object = {}) => void learnt.push(facts);
  const load = async () => ({ changes, isOver });
  return createOwnWork({ rootId: "root", state, learn } as never, {
    ...services,
    workStore: { ...services.workStore, load },
    treeOf: () => ({ ...services, workWatch }),
  });
}
const packet = async (work: OwnWork): Promise<string> =>
  work.packet((changed) => [...changed.values()].flat().join("\n"));

it("are those of their own batch, and stay so while the next one is under way", async () => {
  const work = open([change("two\n")]);
  const first = packet(work);
  state.lastBatch = { ...EMPTY_BATCH };
  work.heard?.({ type: "next" });
  expect(await first).toContain("1 + two");
  expect(await work.patches()).toContain("-one\n+two\n");
});

it("leave the session's metadata when the user goes on", () => {
  open([]).userSpoke();
  expect(learnt).toEqual([{ status: null }]);
});
