import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { devNull, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { prepareAst } from "../../src/extras/ast/tool.ts";
import { steadyClock } from "../../src/lib/clock.ts";
import { isRefusal } from "../../src/lib/refusal.ts";
import { keyed } from "../support/keyed.ts";

/**
 * Prints how long `ast_gaia` searches 10,000 files, and ast-grep alone, in milliseconds: `npx tsx test/bench/ast.bench.ts`. Of
 * each the best of some rounds counts, taken in turns. Fails above 1.1 times ast-grep alone.
 */
const FILES = 10_000;
const ROUNDS = 7;
const MOST = 1.1;
const PATTERN = "needle($A)";

const directory = await mkdtemp(join(tmpdir(), "gaia-ast-"));
const platform = `cli-${process.platform}-${process.arch}`;
const installed = resolve("node_modules/@ast-grep");
const program = execFileSync("sh", ["-c", `ls ${installed}/${platform}*/ast-grep | head -n 1`], {
  encoding: "utf8",
}).trim();

const filler = (index: number): string =>
  Array.from(
    { length: 40 },
    (_, at) => `export function f${index}_${at}(a: number): number {\n  return a + ${at};\n}\n`,
  ).join("");
for (let folder = 0; folder < 100; folder++) {
  await mkdir(join(directory, `d${folder}`));
  for (let at = 0; at < FILES / 100; at++) {
    const found = at === 0 ? `needle(${folder});\n` : "";
    await writeFile(join(directory, `d${folder}/f${at}.ts`), filler(at) + found);
  }
}

const place = { directory, project: directory, below: "", standsFor: null, sessionId: "s", agent: "a" };
const input = {
  project: directory,
  worktree: directory,
  vcs: { isIgnored: async () => false },
  contained: { of: async () => null, dispose: () => undefined },
  environment: { ...process.env, PATH: join(program, "..") },
  clock: steadyClock,
  since: Date.now(),
  allowSensitive: [],
};
const call = {
  sessionId: "s",
  messageId: "m",
  callId: keyed("c"),
  agent: "a",
  abort: new AbortController().signal,
  ask: async () => ({ approved: true }) as const,
  askToEdit: async () => undefined,
};

function alone(): void {
  const args = [
    "run",
    `--config=${devNull}`,
    "--json=stream",
    "--lang=ts",
    `--pattern=${PATTERN}`,
    "--",
    ".",
  ];
  const printed = execFileSync(program, args, { cwd: directory, encoding: "utf8" });
  if (printed.trim().split("\n").length !== 100) throw new Error("ast-grep found another number of places.");
}

async function tool(): Promise<void> {
  const prepared = await prepareAst({ pattern: PATTERN, lang: "ts" }, place, input);
  if (isRefusal(prepared)) throw new Error(prepared.reason);
  const { title } = await prepared.run(call, async () => []);
  if (!title.startsWith("100 ")) throw new Error(`ast_gaia found ${title}`);
}

const times: Record<"alone" | "tool", number[]> = { alone: [], tool: [] };
for (let round = 0; round < ROUNDS; round++) {
  for (const [name, work] of [
    ["alone", alone],
    ["tool", tool],
  ] as const) {
    const start = performance.now();
    await work();
    times[name].push(performance.now() - start);
  }
}
await rm(directory, { recursive: true, force: true });
const [least, own] = [Math.min(...times.alone), Math.min(...times.tool)];
console.log(
  `${FILES} files: ast-grep alone ${least.toFixed(0)} ms, ast_gaia ${own.toFixed(0)} ms, ${(own / least).toFixed(2)} times`,
);
if (own / least > MOST) process.exitCode = 1;
