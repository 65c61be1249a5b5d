import * as machine from "node:child_process";
import { EventEmitter } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { everyNode, findNode } from "./nodes.ts";

/**
 * Takes the place of `node:child_process` in the bundle of the simulator. The check of the schedules is answered from the files in
 * memory; as long as another program runs, the files lie where it looks for them. What it writes there is seen by nobody; no
 * program of a schedule does.
 */
// What is not here is taken as it is; an export of this file goes before one of the same name.
export * from "node:child_process";

/** Programs that run now. */
let running = 0;

const LOOK = /^test -f ([\w.]+)$/;
/** The shell that ends what outlives this process: it stays, and no file is of interest to it. */
const LAST_SHELL = "/bin/sh";

export const spawn = ((...given: Parameters<typeof machine.spawn>) => {
  const [program, { cwd } = {}] = given as unknown as [string, { readonly cwd?: string }?];
  const [, file] = LOOK.exec(program) ?? [];
  if (file !== undefined && cwd !== undefined) return lookFor(`${cwd}/${file}`);
  if (program === LAST_SHELL) return machine.spawn(...given);
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

/** Ends once whoever began it listens, as a program does that left nothing behind. */
function lookFor(path: string): EventEmitter {
  const child = new EventEmitter();
  const isThere = findNode(path)?.entries === null;
  setImmediate(() => {
    for (const event of ["exit", "close"]) child.emit(event, isThere ? 0 : 1, null);
  });
  return child;
}
