import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const LineSchema = z.strictObject({ line: z.string().min(1), from: z.string().min(1) });

/** The command lines of one file of the corpus. */
export function readLines(name: string): string[] {
  return readFileSync(join(import.meta.dirname, name), "utf8")
    .trimEnd()
    .split("\n")
    .map((text) => LineSchema.parse(JSON.parse(text)).line);
}
