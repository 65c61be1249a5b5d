import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import type { examineCall as Examine } from "../../src/policy/examine-call.ts";
import { importBundled } from "./import-bundled.ts";
import { corpus } from "../policy/corpus/index.ts";

/**
 * Prints how much processor time the policy takes, in milliseconds: `npx tsx test/bench/policy.bench.ts`. What is measured
 * is bundled as it is shipped, and a busy machine counts for little. Fails above 1 ms for a command and 15 ms for 10 KB.
 */
const LOOP = 'for f in *.ts; do wc -l "$f" | head -n 3; done\n';
const NEST = 10_000;
const ROUNDS = 20;
const BATCHES = 5;

const cases: Readonly<Record<string, string>> = {
  "10 KB, one loop again and again": LOOP.repeat(Math.floor(10_240 / LOOP.length)),
  "10 KB, the everyday corpus": corpus
    .filter(({ harmless, command }) => harmless && !command.includes("EOF"))
    .map(({ command }) => command)
    .join("\n")
    .repeat(2)
    .slice(0, 10_240)
    .replace(/\n[^\n]*$/u, ""),
  "1 MB line": "echo a; ".repeat(131_072),
  "10,000 substitutions": `echo ${"$(".repeat(NEST)}ls${")".repeat(NEST)}`,
  "10,000 quoted substitutions": `echo ${'"$(echo '.repeat(NEST)}ls${')"'.repeat(NEST)}`,
  "10,000 subshells": `${"(".repeat(NEST)}ls${")".repeat(NEST)}`,
};

/** Processor time of one run in milliseconds, from the best of some batches: what else the machine does only adds to it. */
function cost(work: () => unknown): number {
  const batches = Array.from({ length: BATCHES }, () => {
    const start = process.cpuUsage();
    for (let round = 0; round < ROUNDS; round++) work();
    const { user, system } = process.cpuUsage(start);
    return (user + system) / 1_000 / ROUNDS;
  });
  return Math.min(...batches);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

const { examineCall } = await importBundled<{ examineCall: typeof Examine }>("src/policy/examine-call.ts");

/** Everything that production asks about a line, links on the disk included. */
const examine = (command: string): unknown =>
  examineCall(
    "bash",
    { kind: "command", command, workdir: null },
    {
      folder: process.cwd(),
      resolve(path) {
        try {
          return realpathSync(resolve(path));
        } catch {
          return undefined;
        }
      },
    },
  );
const all = corpus.map(({ command }) => command);
for (const command of all) examine(command);
const single = median(all.map((command) => cost(() => examine(command))));
const rows = [{ what: `a command, median of ${all.length}`, ms: single, limit: 1 }];
for (const [what, command] of Object.entries(cases)) {
  const ms = cost(() => examine(command));
  rows.push({ what, ms, limit: what.startsWith("10 KB") ? 15 : 100 });
}
console.table(rows.map(({ what, ms, limit }) => ({ what, "CPU, ms": ms.toFixed(3), limit })));
if (rows.some(({ ms, limit }) => ms > limit)) process.exitCode = 1;
