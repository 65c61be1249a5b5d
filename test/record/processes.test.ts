import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  bundleWriter,
  createUnit,
  findDamage,
  readEntries,
  startWriter,
  type WriterBundle,
} from "./writer.ts";

let bundle: WriterBundle;
let directory: string;

beforeAll(async () => {
  bundle = await bundleWriter();
});
afterAll(() => bundle.remove());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "gaia-processes-"));
  await createUnit(directory);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** How many times as many entries and kills: `PROCESS_RUNS=10` for the long run. */
const RUNS = Number(process.env["PROCESS_RUNS"] ?? 1);
/** What each of the writers at the same time writes to each file. */
const ENTRIES = 20 * RUNS;

const upTo = (count: number): number[] => Array.from({ length: count }, (_none, index) => index);

/** A small random generator, so that a run that fails can be repeated. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

describe("several processes", () => {
  it("lose and double nothing: 4 writers to each of log, decisions and learnings", async () => {
    const names = ["a", "b", "c", "d"];
    const writers = names.map((name) => startWriter(bundle, directory, name, ENTRIES));
    expect(await Promise.all(writers.map((writer) => writer.exit))).toEqual([0, 0, 0, 0]);

    for (const byWriter of (await readEntries(directory)).values()) {
      expect([...byWriter.keys()].toSorted()).toEqual(names);
      for (const numbers of byWriter.values()) expect(numbers).toEqual(upTo(ENTRIES));
    }
    expect(await findDamage(directory)).toEqual([]);
  }, 300_000);
});

describe("a killed process", () => {
  /** Two writers at a time, each killed and replaced ten times, at moments that the seed decides. */
  async function killTwenty(seed: number): Promise<Map<string, number>> {
    const random = createRandom(seed);
    const reported = new Map<string, number>();
    const lane = async (lane: number): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1) {
        const name = `${lane}-${turn}`;
        const writer = startWriter(bundle, directory, name, 100_000);
        await writer.ready;
        await pause(random() * 30);
        writer.child.kill("SIGKILL");
        expect(await writer.exit).toBeNull();
        reported.set(name, writer.written());
      }
    };
    await Promise.all([lane(1), lane(2)]);
    return reported;
  }

  it.each(upTo(RUNS))(
    "leaves whole files behind and the next one works: 20 kills, seed %i",
    async (seed) => {
      const reported = await killTwenty(seed);

      const last = startWriter(bundle, directory, "last", 1);
      expect(await last.exit).toBe(0);
      reported.set("last", 1);
      for (const [file, byWriter] of await readEntries(directory)) {
        for (const [name, count] of reported) {
          const numbers = byWriter.get(name) ?? [];
          // What was reported is there; of what was being written when the kill came, at most one entry.
          expect(numbers, `${file}, ${name}`).toEqual(upTo(numbers.length));
          expect([count, count + 1], `${file}, ${name}`).toContain(numbers.length);
        }
      }
      expect(await findDamage(directory)).toEqual([]);
      const left = await readdir(join(directory, ".gaia"), { recursive: true });
      expect(left.filter((path) => path.endsWith(".tmp"))).toEqual([]);
    },
    60_000,
  );
});
