import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";

/** What each file of a work unit must hold to count as written. */
const ENTRIES: readonly [string, RegExp][] = [
  ["plan.md", /^- \[[ x]\] /m],
  ["log.md", /^## /m],
  ["decisions.md", /^\|\s*\d{4}-/m],
];

/** The record's files as paths in the project, sorted; without what only this machine needs. */
export async function listRecord(directory: string): Promise<string[]> {
  const files = await filesBelow(directory, ".gaia");
  return files.filter((file) => !file.startsWith(".gaia/.local/")).toSorted();
}

/** Whether some work unit has a plan with tasks, a log entry and a decision. */
export async function hasRecord(directory: string): Promise<boolean> {
  const plans = (await listRecord(directory)).filter((file) => file.endsWith("/plan.md"));
  for (const plan of plans) {
    if (await isComplete(join(directory, dirname(plan)))) return true;
  }
  return false;
}

async function isComplete(unit: string): Promise<boolean> {
  for (const [name, entry] of ENTRIES) {
    if (!existsSync(join(unit, name))) return false;
    if (!entry.test(await readFile(join(unit, name), "utf8"))) return false;
  }
  return true;
}

async function filesBelow(directory: string, folder: string): Promise<string[]> {
  if (!existsSync(join(directory, folder))) return [];
  const entries = await readdir(join(directory, folder), { withFileTypes: true });
  const nested = entries.map(async (entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(directory, path) : [path];
  });
  return (await Promise.all(nested)).flat();
}
