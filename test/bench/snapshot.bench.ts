import { execFileSync } from "node:child_process";
import { appendFile } from "node:fs/promises";
import { join } from "node:path";
import { openSnapshots } from "../../src/snapshot/snapshots.ts";
import { writeIn } from "../support/directory.ts";
import { median, renderTable, timed } from "./figures.ts";
import { inFolder } from "./opencode.ts";

/**
 * What a snapshot takes, beside `git status`, timed side by side: `npx tsx test/bench/snapshot.bench.ts`. ROUNDS sets
 * the samples.
 */
const ROUNDS = Number(process.env["ROUNDS"] ?? 15);
const SIZES = [2_000, 60_000];
const A_FOLDER = 100;
const TEXT = "export const line = 1;\n".repeat(40);
const HEAD = ["", "first", "unchanged", "`git status`", "after an edit", "`git status`"];

const shown = (ms: number | null): string => `${Math.round(ms ?? 0)} ms`;

async function measure(root: string, size: number): Promise<string[]> {
  const directory = join(root, `${size}`);
  for (let at = 0; at < size; at++) {
    const module = at - (at % A_FOLDER);
    await writeIn(
      directory,
      `src/part-${module % 30}/module-${module}/${at % A_FOLDER}.ts`,
      `${at}\n${TEXT}`,
    );
  }
  const git = (...args: string[]): void =>
    void execFileSync("git", args, { cwd: directory, stdio: "ignore" });
  git("init", "-q");
  git("add", "-A");
  git("-c", "user.name=x", "-c", "user.email=x@x", "commit", "-qm", "Start");
  const snapshots = openSnapshots(directory, join(root, "data"));
  const first = await timed(snapshots.take);
  await snapshots.take();
  const samples: number[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const same = await timed(snapshots.take);
    const status = await timed(() => git("status"));
    await appendFile(join(directory, "src/part-0/module-0/1.ts"), `${round}\n`);
    const edited = await timed(snapshots.take);
    samples.push([same, status, edited, await timed(() => git("status"))]);
  }
  const columns = [0, 1, 2, 3].map((at) => shown(median(samples.map((sample) => sample[at] ?? 0))));
  return [`${size} files`, shown(first), ...columns];
}

await inFolder(async (root) => {
  const rows: string[][] = [];
  for (const size of SIZES) rows.push(await measure(root, size));
  console.log(renderTable(1, [HEAD, ...rows]));
});
