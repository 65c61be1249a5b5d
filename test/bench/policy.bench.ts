import { classifyCommand } from "../../src/policy/classify-command.ts";
import { corpus } from "../policy/corpus/index.ts";

/** Prints how long the policy takes, in milliseconds: `npx tsx test/bench/policy.bench.ts`. */
const LOOP = 'for f in *.ts; do wc -l "$f" | head -n 3; done\n';
const NEST = 10_000;
const ROUNDS = 30;

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

function time(command: string): number {
  const start = performance.now();
  classifyCommand(command);
  return performance.now() - start;
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

const rows: [string, string, string][] = [];
const first = corpus.map(({ command }) => time(command));
for (let round = 0; round < 3; round++) for (const { command } of corpus) classifyCommand(command);
const warm = corpus.map(({ command }) => time(command));
rows.push([
  `${corpus.length} commands of the corpus, each`,
  median(first).toFixed(3),
  median(warm).toFixed(3),
]);
for (const [name, command] of Object.entries(cases)) {
  const cold = time(command);
  const hot = Array.from({ length: ROUNDS }, () => time(command));
  rows.push([`${name}: ${classifyCommand(command).verdict}`, cold.toFixed(3), median(hot).toFixed(3)]);
}
console.table(rows.map(([what, once, again]) => ({ what, "first, ms": once, "median, ms": again })));
