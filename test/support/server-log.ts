import { inject } from "vitest";
import { readLog } from "./opencode.ts";

/** Faults of OpenCode itself or of a plugin in it that nobody caught: a scenario must leave none behind. */
const FAULT = /unhandled|uncaught|\b(Type|Reference|Range)Error\b/i;

/** Where the log of an OpenCode stands now; a later {@link faultsSince} reads on from here. */
export async function logPosition(root = inject("openCodeRoot")): Promise<number> {
  return (await readLog(root)).length;
}

/** The lines with uncaught faults that were logged since. The server is shared, so only this project's count. */
export async function faultsSince(position: number, root = inject("openCodeRoot")): Promise<string[]> {
  const lines = (await readLog(root)).slice(position).split("\n");
  return lines.filter((line) => FAULT.test(line));
}
