import { spawn } from "node:child_process";
import { once } from "node:events";
import { canContain } from "../support/bubblewrap.ts";
import { openWorld, READ, WRITE } from "../sandbox/world.ts";

/**
 * Prints what a containment adds to a command, in milliseconds: `npx tsx test/bench/containment.bench.ts`. The shell is
 * started as OpenCode starts it, with and without, in turns. What else a machine does only adds to it, so beside the median
 * the fastest tenth is shown, and more than 15 ms there fails.
 */
const ROUNDS = 60;
const MOST_MS = 15;

if (!canContain) {
  console.log("Nothing is measured: bubblewrap is not installed, or may make no namespaces.");
  process.exit(0);
}

const world = openWorld();
const { containment, project, environment } = world;
await containment.ready();

async function start(variables: Readonly<Record<string, string>>): Promise<number> {
  const begun = performance.now();
  const env = { ...environment, ...variables };
  const child = spawn("/bin/bash", ["-c", "true"], { cwd: project, env, stdio: "ignore", detached: true });
  await once(child, "exit");
  return performance.now() - begun;
}

function share(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}

const shown = (values: readonly number[]): string =>
  `${share(values, 0.5).toFixed(1)} ms, fastest tenth ${share(values, 0.1).toFixed(1)} ms`;

const plain: number[] = [];
const prepared: number[] = [];
const contained: Record<string, number[]> = { "project writable": [], "project read-only": [] };
for (let round = 0; round < ROUNDS; round++) {
  plain.push(await start({}));
  for (const [name, profile] of [
    ["project writable", WRITE],
    ["project read-only", READ],
  ] as const) {
    const begun = performance.now();
    const variables = await containment.wrap({ callId: "bench", folder: project, profile });
    const ready = performance.now() - begun;
    const ran = await start(variables);
    if (containment.finish("bench")?.isProven !== true) throw new Error("A command was not contained.");
    prepared.push(ready);
    contained[name]?.push(ready + ran);
  }
}
/** What the host starts itself: hooks, filters, checks. It needs no shell of the user's. */
const hosts: Record<"plain" | "contained", number[]> = { plain: [], contained: [] };
const git = "git rev-parse HEAD";
async function runHosts([program, ...args]: readonly [string, ...string[]]): Promise<number> {
  const begun = performance.now();
  await once(spawn(program, args, { cwd: project, env: environment, stdio: "ignore" }), "exit");
  return performance.now() - begun;
}
for (let round = 0; round < ROUNDS; round++) {
  hosts.plain.push(await runHosts(["/bin/sh", "-c", git]));
  const begun = performance.now();
  const program = await containment.command(WRITE, project, git);
  hosts.contained.push(performance.now() - begun + (await runHosts(program)));
}
world.close();

console.log(`git of the host as it is: ${shown(hosts.plain)}; contained: ${shown(hosts.contained)}`);
console.log(`a command as it is: ${shown(plain)}`);
console.log(`of what follows, before the shell starts: ${shown(prepared)}`);
let most = 0;
for (const [name, values] of Object.entries(contained)) {
  const added = (part: number): number => share(values, part) - share(plain, part);
  most = Math.max(most, added(0.1));
  console.log(
    `contained, ${name}: ${shown(values)}; added ${added(0.5).toFixed(1)} and ${added(0.1).toFixed(1)} ms`,
  );
}
if (most > MOST_MS) {
  console.error(`More than ${MOST_MS} ms.`);
  process.exitCode = 1;
}
