import { spawn } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "tsup";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { systemClock } from "../../src/lib/async.ts";
import { silentLogger } from "../../src/lib/error.ts";
import { createWorkspace } from "../../src/record/workspace.ts";
import { openFolder } from "../support/directory.ts";
import { randomOf } from "../support/random.ts";

/** The folder of the bundled writer. */
let bundle: string;
let directory: string;
beforeAll(async () => void (bundle = await bundleWriter()));
afterAll(async () => rm(bundle, { recursive: true, force: true }));
beforeEach(async () => {
  directory = await openFolder();
  const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
  expect(await workspace.createWorkUnit({ slug: "unit", title: "Written by many" })).toMatchObject({
    ok: true,
  });
});

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCE = fileURLToPath(new URL("./writer-process.ts", import.meta.url));

/**
 * Bundles the writer as the package is bundled, below the repository so that it finds the templates as `dist/` does: it starts
 * four times as fast as the source. @returns its folder
 */
async function bundleWriter(): Promise<string> {
  await mkdir(join(ROOT, ".tmp"), { recursive: true });
  const outDir = await mkdtemp(join(ROOT, ".tmp", "writer-"));
  const plain = { format: "esm", config: false, silent: true, dts: false, clean: false } as const;
  await build({ entry: [SOURCE], outDir, ...plain });
  return outDir;
}

/** A running writer: `ready` once it is about to write, `exit` is null when it was killed, `written` counts its rounds. */
function startWriter(name: string, count: number) {
  const script = [join(bundle, "writer-process.js"), directory, name, String(count)];
  const child = spawn(process.execPath, script, { stdio: ["ignore", "pipe", "inherit"] });
  let written = 0;
  const exit = new Promise<number | null>((resolve, reject) => {
    child.once("close", resolve);
    child.once("error", reject);
  });
  const ready = new Promise<void>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      if (line === "ready") resolve();
      else written = Number(line) + 1;
    });
    exit.then(() => reject(new Error(`writer ${name} ended before it was ready`)), reject);
  });
  return { child, ready, exit, written: () => written };
}

/** What stands in log, decisions and entries, these one after the other as they were written. */
async function readTexts(): Promise<Map<string, string>> {
  const read = async (path: string): Promise<string> => readFile(join(directory, ".gaia", path), "utf8");
  const order = new Intl.Collator("en", { numeric: true });
  const names = (await readdir(join(directory, ".gaia/knowledge"))).toSorted(order.compare);
  const entries = await Promise.all(names.map(async (name) => read(`knowledge/${name}`)));
  return new Map([
    ["unit/log.md", await read("unit/log.md")],
    ["unit/decisions.md", await read("unit/decisions.md")],
    ["knowledge", entries.join("")],
  ]);
}

/** The numbers of the entries of each writer in each of the three, in their order. */
async function readEntries(): Promise<Map<string, Map<string, number[]>>> {
  const found = new Map<string, Map<string, number[]>>();
  for (const [file, text] of await readTexts()) {
    const byWriter = new Map<string, number[]>();
    for (const [, name = "", number = ""] of text.matchAll(/\bentry ([\w-]+)\.(\d+)\b/g)) {
      byWriter.set(name, [...(byWriter.get(name) ?? []), Number(number)]);
    }
    found.set(file, byWriter);
  }
  return found;
}

/** Every line of them that is neither an entry nor part of a template. */
async function findDamage(): Promise<string[]> {
  const damage: string[] = [];
  const shapes: Readonly<Record<string, RegExp>> = {
    "unit/log.md": /^(?:# Log|## \d{4}-\d\d-\d\d|- entry [\w-]+\.\d+|)$/,
    "unit/decisions.md":
      /^(?:# Decisions|\| Date \|.*\||\|(?: --- \|){5}|\| [\d-]{10} \| entry [\w-]+\.\d+ \| yes \| {2}\| {2}\||)$/,
    knowledge:
      /^(?:---|id: entry-[\w-]+|kind: insight|scope: project|status: (?:proposed|accepted)|(?:by|at|reason): "[^"]+"|entry [\w-]+\.\d+|)$/,
  };
  for (const [file, text] of await readTexts()) {
    const odd = text.split("\n").filter((line) => shapes[file]?.test(line) !== true);
    damage.push(...odd.map((line) => `${file}: ${line}`));
    if (!text.endsWith("\n")) damage.push(`${file}: cut off at its end`);
  }
  return damage;
}

/** How many times as many entries and kills: `PROCESS_RUNS=10` for the long run. */
const RUNS = Number(process.env["PROCESS_RUNS"] ?? 1);

const upTo = (count: number): number[] => Array.from({ length: count }, (_none, index) => index);

describe("a killed process", () => {
  /** Two writers at a time, each killed and replaced ten times, at moments that the seed decides. */
  async function killTwenty(seed: number): Promise<Map<string, number>> {
    const random = randomOf(seed);
    const reported = new Map<string, number>();
    const lane = async (lane: number): Promise<void> => {
      for (let turn = 0; turn < 10; turn += 1) {
        const name = `${lane}-${turn}`;
        const writer = startWriter(name, 100_000);
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

      const last = startWriter("last", 1);
      expect(await last.exit).toBe(0);
      reported.set("last", 1);
      for (const [file, byWriter] of await readEntries()) {
        for (const [name, count] of reported) {
          const numbers = byWriter.get(name) ?? [];
          // What was reported is there; of what was being written when the kill came, at most one entry.
          expect(numbers, `${file}, ${name}`).toEqual(upTo(numbers.length));
          expect([count, count + 1], `${file}, ${name}`).toContain(numbers.length);
        }
      }
      expect(await findDamage()).toEqual([]);
      const left = await readdir(join(directory, ".gaia"), { recursive: true });
      expect(left.filter((path) => path.endsWith(".tmp"))).toEqual([]);
    },
    60_000,
  );
});
