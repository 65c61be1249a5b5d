import { mkdir, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { createError } from "../lib/error.ts";
import type { Redactor } from "../lib/redaction.ts";
import { resolveInsideGaia } from "../workspace/gaia-path.ts";
import { gatherReport, type ReportedProject } from "./gather.ts";
import { renderPage } from "./render.ts";

/**
 * Writes the report of a unit.
 * @param out where to, by the user's own word; by default among what this checkout alone has of the record
 * @returns its path
 * @throws GaiaError where there is no such unit, or the record leads out of the project
 */
export async function writeReport(
  project: ReportedProject,
  unit: string | undefined,
  out: string | undefined,
  redact: Redactor,
): Promise<string> {
  const facts = await gatherReport(project, unit);
  const own = `.gaia/.local/reports/${facts.unit}.html`;
  const place = await resolveInsideGaia(project.directory, own);
  if (out === undefined && !place.ok)
    throw createError("report", `${own} cannot be written: ${place.reason}.`, {
      hint: "Name a file by --out.",
    });
  const path = out ?? resolve(project.directory, own);
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, renderPage(facts, redact));
  return path;
}
