import type { examineCommand as Examine } from "../../src/policy/examine-command.ts";
import { importBundled } from "./import-bundled.ts";
import { corpus } from "../policy/corpus/index.ts";
import { kinds } from "../policy/hostile/families.ts";

/**
 * Prints how long the verdict on a line takes, in milliseconds of processor time in a warm process: the median over the
 * corpora, and the worst of every kind of hostile line at 1 to 64 KB. `npx tsx test/bench/verdict.bench.ts`; with `all` it
 * takes every family of the largest kinds instead of some, and ten times as long. Fails above 1 ms for the median and
 * 20 ms for the worst.
 */
const SIZES = [1_000, 4_000, 16_000, 64_000];
const ROUNDS = 5;
const MAX_FAMILIES = process.argv[2] === "all" ? Infinity : 120;

const { examineCommand } = await importBundled<{ examineCommand: typeof Examine }>(
  "src/policy/examine-command.ts",
);

/** The best of some rounds, for what else the machine does only adds to it; a quick line needs no more than one. */
function cost(line: string): number {
  let best = Infinity;
  for (let round = 0; round < ROUNDS && best > 5; round++) {
    const start = process.cpuUsage();
    examineCommand(line, { folder: "/home/user/project" });
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000);
  }
  return best;
}

const commands = corpus.map(({ command }) => command);
for (const command of commands) examineCommand(command);
const single = commands.map((command) => {
  const start = performance.now();
  for (let round = 0; round < ROUNDS; round++) examineCommand(command);
  return (performance.now() - start) / ROUNDS;
});
const median = single.toSorted((left, right) => left - right)[Math.floor(single.length / 2)] ?? 0;

const rows = Object.entries(kinds).map(([kind, families]) => {
  const all = Object.entries(families);
  const step = Math.max(1, Math.floor(all.length / MAX_FAMILIES));
  const lines = all
    .filter((_, index) => index % step === 0)
    .flatMap(([name, family]) => SIZES.map((size) => ({ name, size, ms: cost(family(size)) })));
  const worst = lines.reduce((left, right) => (right.ms > left.ms ? right : left));
  return { kind, lines: lines.length, worst: worst.ms, at: worst.size, by: worst.name.slice(0, 40) };
});
console.log(`median of ${commands.length} commands: ${median.toFixed(3)} ms`);
console.table(rows.map(({ worst, ...row }) => ({ ...row, "worst, ms": worst.toFixed(1) })));
const worst = Math.max(...rows.map((row) => row.worst));
console.log(`worst of all: ${worst.toFixed(1)} ms`);
if (median > 1 || worst > 20) process.exitCode = 1;
