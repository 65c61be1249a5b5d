import * as machine from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { everyNode } from "./nodes.ts";

/**
 * Takes the place of `node:child_process` in the bundle of the simulator: as long as a program runs, the files of the schedule lie
 * where it looks for them. What it writes there is seen by nobody; no program of a schedule does.
 */
// What is not here is taken as it is; an export of this file goes before one of the same name.
export * from "node:child_process";

/** Programs that run now. */
let running = 0;

export const spawn = ((...given: Parameters<typeof machine.spawn>) => {
  const [root = ""] = everyNode().keys();
  rmSync(root, { recursive: true, force: true });
  for (const [path, { entries, bytes, mode }] of everyNode())
    if (entries === null) writeFileSync(path, bytes, { mode });
    else mkdirSync(path, { recursive: true });
  running += 1;
  const child = machine.spawn(...given);
  child.once("close", () => {
    running -= 1;
    if (running === 0) rmSync(root, { recursive: true, force: true });
  });
  return child;
}) as typeof machine.spawn;
