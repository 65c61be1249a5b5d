import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../src/lib/json.ts";

/**
 * A table of cases that lies as data below `test/`: a row on each line of a `.jsonl`, `{"regex": …}` for a pattern.
 * @param path without its ending
 */
export function readCases<Case>(path: string): Case[] {
  const text = readFileSync(join(import.meta.dirname, "..", `${path}.jsonl`), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line, revive) as Case);
}

function revive(_key: string, value: unknown): unknown {
  return isRecord(value) && typeof value["regex"] === "string" ? new RegExp(value["regex"]) : value;
}
