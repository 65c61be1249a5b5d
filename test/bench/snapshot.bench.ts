import { execFileSync } from "node:child_process";
import { appendFile, mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSnapshots } from "../../src/snapshot/snapshots.ts";
import { median } from "./compare/figures.ts";

/**
 * What a snapshot takes, beside `git status`, timed side by side: `npx tsx test/bench/snapshot.bench.ts`. ROUNDS sets
 * the samples.
 */
const ROUNDS = Number(process.env["ROUNDS"] ?? 15);
const SIZES = [2_000, 60_000] as const;
const A_FOLDER = 100;
const TEXT = "export const line = 1;\n".repeat(40);

const root = await realpath(await mkdtemp(join(tmpdir(), "gaia-snapshot-bench-")));
const timed = async (deed: () => unknown): Promise<number> => {
  const start = performance.now();
  await deed();
  return performance.now() - start;
};

async function measure(size: number): Promise<string[]> {
  const directory = join(root, `${size}`);
  for (let at = 0; at < size; at += A_FOLDER) {
    const folder = join(directory, `src/part-${at % 30}/module-${at}`);
    await mkdir(folder, { recursive: true });
    for (let file = 0; file < A_FOLDER; file++)
      await writeFile(join(folder, `${file}.ts`), `${at + file}\n${TEXT}`);
  }
  const git = (...args: string[]): void =>
    void execFileSync("git", args, { cwd: directory, stdio: "ignore" });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "Start");
  const snapshots = openSnapshots(directory, join(root, "data"));
  const first = await timed(snapshots.take);
  await snapshots.take();
  const samples: [number, number, number, number][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const same = await timed(snapshots.take);
    const status = await timed(() => git("status"));
    await appendFile(join(directory, "src/part-0/module-0/1.ts"), `${round}\n`);
    const edited = await timed(snapshots.take);
    samples.push([same, status, edited, await timed(() => git("status"))]);
  }
  const of = (at: number): string =>
    `${Math.round(median(samples.map((sample) => sample[at] ?? 0)) ?? 0)} ms`;
  return [`${size} files`, `${Math.round(first)} ms`, of(0), of(1), of(2), of(3)];
}

try {
  const rows: string[] = [];
  for (const size of SIZES) rows.push(`| ${(await measure(size)).join(" | ")} |`);
  const table = [
    "| | first | unchanged | `git status` | after an edit | `git status` |",
    "|---|--:|--:|--:|--:|--:|",
    ...rows,
  ].join("\n");
  console.log(table);
} finally {
  await rm(root, { recursive: true, force: true, maxRetries: 5 });
}
