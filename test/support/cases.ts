import { readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A table of cases that lies as data below `test/`: a row on each line of a `.jsonl`.
 * @param path without its ending
 */
export function readCases<Case>(path: string): Case[] {
  const text = readFileSync(join(import.meta.dirname, "..", `${path}.jsonl`), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Case);
}
