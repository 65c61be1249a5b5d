import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Redactor } from "../lib/redaction.ts";
import { gatherReport } from "./gather.ts";
import { renderPage } from "./render.ts";

/** Writes the report of a unit. @returns where to @throws GaiaError where there is no such unit */
export async function writeReport(
  directory: string,
  unit: string | undefined,
  out: string | undefined,
  redact: Redactor,
): Promise<string> {
  const facts = await gatherReport(directory, unit);
  const path = resolve(directory, out ?? join(".gaia/.local/reports", `${facts.unit}.html`));
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, renderPage(facts, redact));
  return path;
}
