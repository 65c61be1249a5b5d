import { readFileSync } from "node:fs";
import { join } from "node:path";
import { it } from "vitest";
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

/** A test for each row of such a table; a row that is a list is given as arguments. */
export function eachCase<Row>(
  path: string,
  title: string,
  test: (...row: Row extends readonly unknown[] ? Row : [Row]) => unknown,
): void {
  it.each(readCases<Row>(path))(title, test as never);
}

function revive(_key: string, value: unknown): unknown {
  return isRecord(value) && typeof value["regex"] === "string" ? new RegExp(value["regex"]) : value;
}
