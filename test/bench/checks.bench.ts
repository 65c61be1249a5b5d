import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runDefinition } from "../checks/definition.ts";

/**
 * `npx tsx test/bench/checks.bench.ts`: four checks of two seconds each against the slowest of them, and against the four
 * one after the other. Each prints a line every 20 ms, and none may show up in the output of another.
 */
const NAMES = ["types", "lint", "unit", "docs"];
const SECONDS = 2;
const LINES = 100;
/** More than this over the slowest check would mean that they wait for each other. */
const MAX_OVER = 1.25;

const command = (name: string): string =>
  `i=0; while [ $i -lt ${LINES} ]; do i=$((i + 1)); echo ${name} $i; sleep ${SECONDS / LINES}; done`;

const checks = NAMES.map((name) => ({ id: name, command: command(name) }));

const directory = await mkdtemp(join(tmpdir(), "gaia-bench-"));
try {
  const started = performance.now();
  const report = await runDefinition(directory, { checks });
  const together = performance.now() - started;
  const slowest = Math.max(...report.checks.map(({ duration_ms }) => duration_ms));
  const alone: number[] = [];
  for (const check of checks) {
    const { duration_ms } = await runDefinition(directory, { checks: [check] });
    alone.push(duration_ms);
  }
  const sum = alone.reduce((total, ms) => total + ms, 0);
  const mixed = report.checks.filter(({ id, output_tail }) =>
    output_tail.split("\n").some((line) => !/^\S+ \d+$/.test(line) || !line.startsWith(`${id} `)),
  );
  const seconds = (ms: number): string => `${(ms / 1_000).toFixed(2)} s`;
  console.log(`four checks together   ${seconds(together)}`);
  console.log(`the slowest of them    ${seconds(slowest)}  (×${(together / slowest).toFixed(2)})`);
  console.log(`one after the other    ${seconds(sum)}  (×${(sum / together).toFixed(2)})`);
  console.log(
    `output interleaved     ${mixed.length === 0 ? "nowhere" : mixed.map(({ id }) => id).join(", ")}`,
  );
  if (!report.passed || mixed.length > 0 || together > slowest * MAX_OVER) process.exitCode = 1;
} finally {
  await rm(directory, { recursive: true, force: true });
}
