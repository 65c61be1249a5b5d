import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createError, describeError } from "../lib/error.ts";
import type { Redactor } from "../lib/redaction.ts";
import { localFile } from "../record/store.ts";
import { gatherReport, type ReportedProject } from "./gather.ts";
import { renderPage } from "./render.ts";

/** Writes the report of a unit into `.gaia/.local`. @returns its path @throws GaiaError where it cannot */
export async function writeReport(
  project: ReportedProject,
  unit: string | undefined,
  redact: Redactor,
): Promise<string> {
  const facts = await gatherReport(project, unit);
  const path = await localFile(project.directory, `reports/${facts.unit}.html`, "Remove that link.");
  try {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, renderPage(facts, redact));
  } catch (cause) {
    throw createError("report", `${path} cannot be written: ${describeError(cause)}.`, { cause });
  }
  return path;
}
