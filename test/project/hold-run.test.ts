import { expect, it } from "vitest";
import { holdRun } from "../../src/project/lanes.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { steadyClock, type Clock } from "../../src/lib/async.ts";
import { openFolder } from "../support/directory.ts";

const inHaste: Clock = { now: steadyClock.now, after: (ms, run) => steadyClock.after(ms / 1_000, run) };
it("has one run of a unit at a time, and the next after its end, however that came", async () => {
  const project = await openFolder();
  const hold = async (unit: string, work: () => Promise<string>): Promise<string> =>
    holdRun({ project, unit, clock: inHaste, logger: silentLogger }, work, "elsewhere");
  const renewals = async (): Promise<string> => {
    for (let round = 0; round < 10; round += 1) {
      await new Promise((done) => setTimeout(done, 10));
      expect(await hold("one", async () => "second")).toBe("elsewhere");
    }
    return "first";
  };
  const first = hold("one", renewals);
  expect(await hold("two", async () => "another unit")).toBe("another unit");
  expect(await first).toBe("first");
  await expect(hold("one", async () => Promise.reject(new Error("broke off")))).rejects.toThrow("broke off");
  expect(await hold("one", async () => "third")).toBe("third");
});
