import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { silentLogger } from "../../src/lib/error.ts";
import { systemClock } from "../../src/lib/async.ts";
import type { RecallKind } from "../../src/record/recall/entry.ts";
import { createRecall } from "../../src/record/memory.ts";
import { createWorkspace } from "../../src/record/workspace.ts";

/**
 * `npx tsx --expose-gc test/bench/recall.bench.ts`: how long the record takes to index, to bring up to date after one
 * append and to search, and what it holds in memory. Files on disk, as in a project: half of the entries are decisions
 * and log lines of archived work units with 50 entries each, half are lines of one log.
 */
const SIZES = [100, 1_000, 10_000, 100_000];
const ROUNDS = 40;
const ALL = new Set<RecallKind>(["learning", "decision", "log", "plan"]);
const QUERIES = [
  "why did we use jose?",
  "rate limit of the upload route",
  "retry backoff",
  "archive migration lock",
];

const SUBJECTS =
  "auth upload session billing search export import webhook email cache queue report audit".split(" ");
const THINGS =
  "route table lock retry limit token header schema index migration timeout batch cursor key".split(" ");
const ACTS = "keep split move cache drop rename validate stream sort archive encode sign".split(" ");
const pick = (words: readonly string[], at: number): string => words[at % words.length] ?? "";

/** Different for each number, from a vocabulary that grows with the record as a project's does. */
function sentence(at: number): string {
  const name = `${pick(SUBJECTS, at)}${Math.floor(at / 40)}`;
  return `${pick(ACTS, at * 7)} the ${pick(THINGS, at * 3)} of ${name} before the ${pick(THINGS, at * 11)} ${at % 97}`;
}

async function fill(directory: string, size: number): Promise<void> {
  const gaia = join(directory, ".gaia");
  await mkdir(join(gaia, "archive"), { recursive: true });
  const half = Math.floor(size / 2);
  const learnings = Array.from({ length: half }, (_, at) => `- **pattern** ${sentence(at)} — 2026-01-02`);
  await mkdir(join(gaia, "notes"));
  await writeFile(join(gaia, "notes/log.md"), `# Log\n\n${learnings.join("\n")}\n`);
  const units = Math.max(1, Math.floor(half / 50));
  const perFile = Math.floor(half / units / 2);
  for (let unit = 0; unit < units; unit += 1) {
    const folder = join(gaia, "archive", `2026-01-02.unit-${unit}`);
    await mkdir(folder);
    const at = (line: number): number => half + unit * 50 + line;
    const rows = Array.from(
      { length: perFile },
      (_, line) => `| 2026-01-02 | ${sentence(at(line))}? | yes | faster | api |`,
    );
    const jose = unit === 0 ? ["| 2026-01-02 | jose or jsonwebtoken? | jose | ESM and smaller | auth |"] : [];
    const head =
      "# Decisions\n\n| Date | Question | Choice | Rationale | Impact |\n| --- | --- | --- | --- | --- |";
    await writeFile(join(folder, "decisions.md"), [head, ...jose, ...rows, ""].join("\n"));
    const lines = Array.from({ length: perFile }, (_, line) => `- ${sentence(at(line + perFile))}`);
    await writeFile(join(folder, "log.md"), `# Log\n\n## 2026-01-02 — Wave 1\n\n${lines.join("\n")}\n`);
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

function memory(): number {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function measure(size: number): Promise<Record<string, number>> {
  const directory = await mkdtemp(join(tmpdir(), "recall-bench-"));
  try {
    await fill(directory, size);
    const workspace = createWorkspace({ directory, clock: systemClock, logger: silentLogger });
    const before = memory();
    const recall = createRecall(workspace, silentLogger);
    const first = await timed(async () => recall.search("jose", ALL));
    const used = memory() - before;
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      times.push(await timed(async () => recall.search(pick(QUERIES, round), ALL)));
    }
    times.sort((a, b) => a - b);
    await writeFile(join(directory, ".gaia/notes/plan.md"), "- a fresh line about zebras\n");
    const update = await timed(async () => recall.search("zebra", ALL));
    const round = (value: number): number => Math.round(value * 10) / 10;
    return {
      entries: recall.size,
      "index ms": round(first),
      "query ms (median)": round(times[ROUNDS / 2] ?? 0),
      "query ms (worst)": round(times.at(-1) ?? 0),
      "after an append ms": round(update),
      "memory MB": round(used / 1_048_576),
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const rows: Record<string, number>[] = [];
for (const size of SIZES) rows.push(await measure(size));
console.table(rows);
