import { createError, type GaiaError } from "../../lib/error.ts";
import type { Change, Refusal } from "../documents/change.ts";
import { GAIA_FOLDER } from "../gaia-path.ts";
import { refuseSlug } from "../slug.ts";
import type { GaiaFiles, GaiaReader, GaiaWriter } from "../store/gaia-files.ts";
import { renderTemplate, type TemplateName } from "../templates.ts";
import { readActive } from "./active.ts";

/** What every operation works with. */
export interface OperationContext {
  readonly files: GaiaFiles;
  /** Today as an ISO day in UTC, so that people in several zones write one order. */
  today(): string;
}

/** The documents of a work unit, in the order in which they are listed. */
export const UNIT_DOCUMENTS = ["plan.md", "log.md", "decisions.md"] as const;
/** What a unit may have beside them. */
export const SPEC = "spec.md";
/** One of {@link UNIT_DOCUMENTS}. */
export type UnitDocument = (typeof UNIT_DOCUMENTS)[number];

/** A path below `.gaia` as people and models write it. */
export function shownPath(inside: string): string {
  return `${GAIA_FOLDER}/${inside}`;
}

/**
 * The work unit that an operation is about: the named one, else the active one.
 * @throws GaiaError when the name is none, the unit does not exist, or none is active
 */
export async function unitOf(files: GaiaReader, slug: string | undefined): Promise<string> {
  const unit = slug ?? (await readActive(files));
  if (unit === null) {
    throw createError("workspace", "No work unit is active.", {
      hint: "Pass a slug, or create_work_unit first.",
    });
  }
  const refused = refuseSlug(unit);
  if (refused !== null)
    throw createError("workspace", `"${unit}" is not a work unit's name.`, { hint: refused });
  if (await files.exists(unit)) return unit;
  throw createError("workspace", `There is no work unit "${unit}".`, {
    hint: "list_work_units shows what there is; create_work_unit makes a new one.",
  });
}

/** Changes something in a work unit with the lock held; a unit that does not exist is refused before anything is created. */
export async function inUnit<T>(
  files: GaiaFiles,
  slug: string | undefined,
  job: (writer: GaiaWriter, unit: string) => Promise<T>,
): Promise<T> {
  await unitOf(files, slug);
  return files.exclusive(async (writer) => job(writer, await unitOf(writer, slug)));
}

/** Applies a pure change to a document, which begins as its template when it is missing or empty. */
export async function changeDocument<T>(
  writer: GaiaWriter,
  inside: string,
  template: TemplateName,
  change: (text: string) => Change<T>,
): Promise<T> {
  return writer.change(inside, async (text) => {
    const start = text === null || text.trim() === "" ? await renderTemplate(template, {}) : text;
    const changed = change(start);
    if (!changed.ok) throw refusalOf(inside, changed);
    return { text: changed.text, result: changed.result };
  });
}

/** A refusal as an error that begins with `file:line:` when it is about a line. */
export function refusalOf(inside: string, { line, error, hint }: Refusal): GaiaError {
  const where = line === undefined ? "" : `${shownPath(inside)}:${line}: `;
  return createError("workspace", where + error, { hint });
}
