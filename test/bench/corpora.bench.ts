import { decideIn } from "../policy/corpora/decide.ts";
import { readCorpora } from "../policy/corpora/corpus.ts";
import { isWithin, measure } from "../policy/corpora/measure.ts";

/**
 * Holds the decision against other projects' corpora (test/policy/corpora/README.md) and prints the rates:
 * `npx tsx test/bench/corpora.bench.ts <folder> [--misses]`. Fails where a bound is missed.
 */
const [folder, ...options] = process.argv.slice(2);
if (folder === undefined)
  throw new Error("Which folder? npx tsx test/bench/corpora.bench.ts <folder> [--misses]");

const rows = measure(readCorpora(folder));
for (const row of rows) {
  const { corpus, about, cases, misses, bound } = row;
  const share = `${((100 * misses.length) / cases).toFixed(2)} %`.padStart(8);
  const verdict = isWithin(row) ? "" : `  above ${100 * bound} %`;
  console.log(
    `${corpus.padEnd(30)} ${about.padEnd(25)} ${String(misses.length).padStart(5)} of ${String(cases).padStart(5)} ${share}${verdict}`,
  );
}

if (options.includes("--misses")) {
  for (const { corpus, about, misses } of rows) {
    if (misses.length > 0) console.log(`\n${corpus}: ${about}`);
    for (const { command, cwd } of misses) {
      const outcomes = (["locked", "wave", "autopilot"] as const).map((mode) => decideIn(mode, command, cwd));
      console.log(`  ${JSON.stringify(command)}  ${outcomes.join("/")}`);
    }
  }
}

if (!rows.every(isWithin)) process.exitCode = 1;
