import { spawn } from "node:child_process";
import { once } from "node:events";
import { canContain } from "../support/bubblewrap.ts";
import { openWorld, READ, WRITE } from "../sandbox/world.ts";
import { quantile, timed } from "./figures.ts";

/**
 * Prints what a containment adds to a command, in milliseconds: `npx tsx test/bench/containment.bench.ts`. The shell is
 * started as OpenCode starts it, with and without, in turns. What else a machine does only adds to it, so beside the median
 * the fastest tenth is shown, and more than 15 ms there fails.
 */
const ROUNDS = 60;
const MOST_MS = 15;
const GIT = "git rev-parse HEAD";

if (!canContain) {
  console.log("Nothing is measured: bubblewrap is not installed, or may make no namespaces.");
  process.exit(0);
}

const world = openWorld();
const { containment, project, environment } = world;
await containment.ready();

const start = async (
  [program, ...args]: readonly [string, ...string[]],
  variables: Readonly<Record<string, string>> = {},
): Promise<void> => {
  const env = { ...environment, ...variables };
  await once(spawn(program, args, { cwd: project, env, stdio: "ignore", detached: true }), "exit");
};
const startShell = async (variables = {}): Promise<void> => start(["/bin/bash", "-c", "true"], variables);

const share = (values: readonly number[], part: number): number => quantile(values, part) ?? 0;
const shown = (values: readonly number[]): string =>
  `${share(values, 0.5).toFixed(1)} ms, fastest tenth ${share(values, 0.1).toFixed(1)} ms`;

const plain: number[] = [];
const prepared: number[] = [];
const contained = [
  { name: "project writable", profile: WRITE, took: [] as number[] },
  { name: "project read-only", profile: READ, took: [] as number[] },
];
for (let round = 0; round < ROUNDS; round++) {
  plain.push(await timed(startShell));
  for (const { profile, took } of contained) {
    let variables = {};
    const ready = await timed(async () => {
      variables = await containment.wrap({ callId: "bench", folder: project, profile });
    });
    const ran = await timed(async () => startShell(variables));
    if (containment.finish("bench")?.isProven !== true) throw new Error("A command was not contained.");
    prepared.push(ready);
    took.push(ready + ran);
  }
}
/** What the host starts itself: hooks, filters, checks. It needs no shell of the user's. */
const hosts = { plain: [] as number[], contained: [] as number[] };
for (let round = 0; round < ROUNDS; round++) {
  hosts.plain.push(await timed(async () => start(["/bin/sh", "-c", GIT])));
  hosts.contained.push(await timed(async () => start(await containment.command(WRITE, project, GIT))));
}
world.close();

console.log(`git of the host as it is: ${shown(hosts.plain)}; contained: ${shown(hosts.contained)}`);
console.log(`a command as it is: ${shown(plain)}`);
console.log(`of what follows, before the shell starts: ${shown(prepared)}`);
for (const { name, took } of contained) {
  const [middle, least] = [0.5, 0.1].map((part) => share(took, part) - share(plain, part)) as [
    number,
    number,
  ];
  console.log(`contained, ${name}: ${shown(took)}; added ${middle.toFixed(1)} and ${least.toFixed(1)} ms`);
  if (least <= MOST_MS) continue;
  console.error(`More than ${MOST_MS} ms.`);
  process.exitCode = 1;
}
