import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { ContainmentProfile } from "../../src/sandbox/profile.ts";
import { canContain } from "../support/bubblewrap.ts";
import { Canaries } from "./canaries.ts";
import { readLines } from "./corpus/read.ts";
import { READ, WRITE } from "./world.ts";
import { readCases } from "../support/cases.ts";

/** Runs in all, over all profiles; `EFFECT_RUNS=50000 npx vitest …` for all there are. */
const FEW = 40;
const RUNS = Number(process.env["EFFECT_RUNS"] ?? FEW);
/** Lines that share a sandbox; what one of them did is then found by halves. */
const BATCH = 40;

/** By who has them. */
const PROFILES: Readonly<Record<string, ContainmentProfile>> = {
  reader: READ,
  locked: { ...READ, caches: true },
  "checker and editor": WRITE,
};

/** All that the project ever judged as a command line, by what it was about. */
function readCorpus(): string[] {
  const names = readdirSync(join(import.meta.dirname, "corpus"));
  return names.filter((name) => name.endsWith(".jsonl")).flatMap(readLines);
}

/** So many lines, evenly from all of them, others for each profile. */
function spread(lines: readonly string[], count: number, role: number): string[] {
  const step = Math.max(1, lines.length / count);
  const first = Math.floor((step * role) / Object.keys(PROFILES).length);
  return Array.from({ length: Math.min(count, lines.length) }, (_, at) => {
    return lines[(Math.floor(at * step) + first) % lines.length] ?? "";
  });
}

/** What every line begins with, made once. */
let first: Canaries;
beforeAll(() => void (first = new Canaries()));
afterAll(() => first.close());
const begin = async (): Promise<Canaries> => new Canaries(first.world.root).start();

/** Runs lines in a profile, those behind one that ended the sandbox in another, and gives what each harmful one did. */
async function harmsOf(lines: readonly string[], profile: ContainmentProfile): Promise<string[]> {
  let canaries = await begin();
  const found: string[] = [];
  const run = async (batch: readonly string[]): Promise<void> => {
    const { harms, started } = await canaries.run(batch, profile);
    if (harms.length > 0) {
      canaries.close();
      canaries = await begin();
      if (batch.length === 1) found.push(`${batch[0]}\n    ${harms.join("\n    ")}`);
      else {
        const half = Math.ceil(batch.length / 2);
        await run(batch.slice(0, half));
        await run(batch.slice(half));
      }
    } else if (started < batch.length) await run(batch.slice(Math.max(1, started)));
  };
  try {
    for (let at = 0; at < lines.length; at += BATCH) await run(lines.slice(at, at + BATCH));
  } finally {
    canaries.close();
  }
  return found;
}

it.runIf(canContain)(
  "what commands change is noticed, where no sandbox is around them",
  { timeout: 90_000 },
  async () => {
    const touching: readonly (readonly [line: string, harm: string])[] =
      readCases<[line: string, harm: string]>("sandbox/effects.touching");
    for (const [line, harm] of touching) {
      const canaries = await begin();
      canaries.world.environment["TMPDIR"] = canaries.world.root;
      const { harms } = await canaries.run([line], WRITE, false);
      canaries.close();
      expect(harms.join("\n"), line).toContain(harm);
    }
  },
);

const corpus = canContain ? readCorpus() : [];

it.runIf(canContain).concurrent.each([...Object.keys(PROFILES).entries()])(
  "commands change nothing beyond their profile: %i, %s",
  { timeout: 60_000 + RUNS * 500 },
  async (at, role) => {
    const roles = Object.keys(PROFILES).length;
    // Those that are known to do harm where nothing contains them: each in one profile here, in all of them in a longer run.
    const attacks = readLines("attacks.jsonl").filter((_, index) => RUNS > FEW || index % roles === at);
    const lines = [...attacks, ...spread(corpus, Math.ceil(RUNS / roles), at)];
    const begun = performance.now();
    expect(await harmsOf(lines, PROFILES[role] ?? READ)).toEqual([]);
    const seconds = Math.round((performance.now() - begun) / 1000);
    console.log(`${role}: ${lines.length} of ${corpus.length} lines, 0 canaries, ${seconds} s`);
  },
);
