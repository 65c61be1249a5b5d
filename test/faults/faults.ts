import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { readSources } from "../structure/imports.ts";

export const ROOT = resolve(import.meta.dirname, "../..");

/** A change of the sources that breaks one guarantee, and the tests that see it. */
export interface Fault {
  /** The guarantee, in words. */
  readonly breaks: string;
  /** A folder of `src`. The text below stands exactly once in it, in whichever file. */
  readonly room: string;
  readonly from: string;
  readonly to: string;
  /** A test file or a folder of tests: the quickest that goes red. */
  readonly found: string;
}

export interface Planted extends Fault {
  /** The files of the room that hold the text, once for each time: exactly one, or the fault says nothing. */
  readonly files: readonly string[];
}

export async function readFaults(): Promise<Planted[]> {
  const lines = readFileSync(join(import.meta.dirname, "faults.jsonl"), "utf8")
    .trim()
    .split("\n");
  const sources = await readSources("src");
  return lines.map((line) => {
    const fault = JSON.parse(line) as Fault;
    const files = [...sources].flatMap(([path, text]) =>
      path.startsWith(`${fault.room}/`) ? Array(text.split(fault.from).length - 1).fill(path) : [],
    );
    return { ...fault, files };
  });
}
