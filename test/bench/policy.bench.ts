import { realPathOf } from "../../src/policy/real-path.ts";
import type { examineCall as Examine } from "../../src/policy/examine-call.ts";
import { importBundled } from "./import-bundled.ts";
import { policyContext } from "../support/examination.ts";

/**
 * Prints how much processor time the policy takes, in milliseconds: `npx tsx test/bench/policy.bench.ts`. What is measured
 * is bundled as it is shipped, and a busy machine counts for little. Fails above 1 ms for a command and 15 ms for 10 KB.
 */
const LOOP = 'for f in *.ts; do wc -l "$f" | head -n 3; done\n';
const COMMANDS = [
  "git status --short",
  "npm test -- --run src/a.test.ts 2>&1 | tail -40",
  "grep -rn 'foo' src --include='*.ts' | head -20",
  "cd packages/a && npx tsc --noEmit",
  "git diff HEAD~1 -- src",
  "rm -rf dist && npm run build",
  "timeout 60 node scripts/run.mjs --file=a.json",
];
const NEST = 10_000;
const ROUNDS = 20;
const BATCHES = 5;

const cases: Readonly<Record<string, string>> = {
  "10 KB, one loop again and again": LOOP.repeat(Math.floor(10_240 / LOOP.length)),
  "10 KB, everyday commands": COMMANDS.join("\n").repeat(20).slice(0, 10_240),
  "1 MB line": "echo a; ".repeat(131_072),
  "10,000 substitutions": `echo ${"$(".repeat(NEST)}ls${")".repeat(NEST)}`,
  "10,000 quoted substitutions": `echo ${'"$(echo '.repeat(NEST)}ls${')"'.repeat(NEST)}`,
  "10,000 subshells": `${"(".repeat(NEST)}ls${")".repeat(NEST)}`,
};

/** Processor time of one run in milliseconds, from the best of some batches: what else the machine does only adds to it. */
async function cost(work: () => Promise<unknown>): Promise<number> {
  const batches: number[] = [];
  for (let batch = 0; batch < BATCHES; batch++) {
    const start = process.cpuUsage();
    for (let round = 0; round < ROUNDS; round++) await work();
    const { user, system } = process.cpuUsage(start);
    batches.push((user + system) / 1_000 / ROUNDS);
  }
  return Math.min(...batches);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

const { examineCall } = await importBundled<{ examineCall: typeof Examine }>("src/policy/examine-call.ts");

/** Everything that production asks about a line, links on the disk included. */
const examine = async (command: string): Promise<unknown> =>
  examineCall(
    "bash",
    { kind: "command", command, workdir: null },
    policyContext(process.cwd(), { realPath: (path) => realPathOf(path) }),
  );
const costs: number[] = [];
for (const command of COMMANDS) costs.push(await cost(async () => examine(command)));
const rows = [{ what: `a command, median of ${COMMANDS.length}`, ms: median(costs), limit: 1 }];
for (const [what, command] of Object.entries(cases)) {
  const ms = await cost(async () => examine(command));
  rows.push({ what, ms, limit: what.startsWith("10 KB") ? 15 : 100 });
}
console.table(rows.map(({ what, ms, limit }) => ({ what, "CPU, ms": ms.toFixed(3), limit })));
if (rows.some(({ ms, limit }) => ms > limit)) process.exitCode = 1;
