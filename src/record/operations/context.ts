import { basename } from "node:path";
import { createError, type GaiaError } from "../../lib/error.ts";
import { recordOf, textOf } from "../../lib/json.ts";
import type { Updated, Unchanged } from "../documents/table.ts";
import type { Knowledge } from "../entries/open.ts";
import { GAIA_FOLDER, refuseSlug } from "../gaia-path.ts";
import type { GaiaFiles, GaiaReader, GaiaWriter } from "../store/gaia-files.ts";
import { renderTemplate, type TemplateName } from "../templates.ts";
import { defineLocal } from "./local.ts";

export interface OperationContext {
  readonly files: GaiaFiles;
  readonly directory: string;
  readonly knowledge: Pick<Knowledge, "accepted" | "propose"> | undefined;
  now(): number;
  /** Today as an ISO day in UTC, so that people in several zones write one order. */
  today(): string;
  /** What only this user's plugin can make of a text, for this project alone. */
  seal(text: string): Promise<string>;
}

export const UNIT_DOCUMENTS = ["plan.md", "log.md", "decisions.md"] as const;
export const SPEC = "spec.md";
export const GAIA_INIT = "gaia-init.md";

export const ARCHIVE = "archive";
const DAY = /^\d{4}-\d{2}-\d{2}\./u;

export interface UnitRef {
  readonly slug?: string;
}

export interface Written {
  readonly path: string;
}

/** Which unit is active is a fact about this checkout, like git's HEAD: two people work on two units at the same time. */
const active = defineLocal("active.json", (value) => ({
  work_unit: textOf(recordOf(value)["work_unit"]) ?? null,
}));

/** The active work unit, or null: none was set, or it is gone. */
export async function readActive(files: GaiaReader): Promise<string | null> {
  const { work_unit: slug } = await active.read(files);
  return slug !== null && refuseSlug(slug) === null && (await files.exists(slug)) ? slug : null;
}

export async function writeActive(writer: GaiaWriter, slug: string | null): Promise<void> {
  await active.change(writer, () => ({ work_unit: slug }));
}

export function recordPath(inside: string): string {
  return `${GAIA_FOLDER}/${inside}`;
}

/** The named work unit, else the active one. @throws GaiaError when there is none */
export async function unitOf(files: GaiaReader, slug: string | undefined): Promise<string> {
  const unit = slug ?? (await readActive(files));
  if (unit === null) {
    throw failure("No work unit is active.", "Pass a slug, or create_work_unit first.");
  }
  requireSlug(unit);
  if (await files.exists(unit)) return unit;
  const archived = (await files.list(ARCHIVE)).map(({ name }) => name).toSorted();
  const folder = archived.findLast((name) => name.replace(DAY, "") === unit);
  if (folder !== undefined) {
    const where = recordPath(`${ARCHIVE}/${folder}`);
    const hint = `It goes on once the user moves that folder back to ${recordPath(unit)}; create_work_unit begins a new one.`;
    throw failure(`The work unit "${unit}" was archived: ${where}.`, hint);
  }
  const hint = "list_work_units shows what there is; create_work_unit makes a new one.";
  throw failure(`There is no work unit "${unit}".`, hint);
}

export function requireSlug(slug: string): void {
  const refused = refuseSlug(slug);
  if (refused !== null) throw failure(`"${slug}" is not a work unit's name.`, refused);
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

export async function changeUnit<T>(
  files: GaiaFiles,
  slug: string | undefined,
  name: (typeof UNIT_DOCUMENTS)[number],
  change: (text: string) => Updated<T>,
): Promise<T & Written> {
  return inUnit(files, slug, async (writer, unit) => {
    const inside = `${unit}/${name}` as const;
    return { path: recordPath(inside), ...(await changeDocument(writer, inside, change)) };
  });
}

/** Applies a pure change to a document, which begins as the template of its name when it is missing or empty. */
export async function changeDocument<T>(
  writer: GaiaWriter,
  inside: `${string}/${TemplateName}` | TemplateName,
  change: (text: string) => Updated<T>,
): Promise<T> {
  return writer.change(inside, async (text) => {
    const start =
      text === null || text.trim() === "" ? await renderTemplate(basename(inside) as TemplateName, {}) : text;
    const changed = change(start);
    if (!changed.ok) throw refusalOf(inside, changed);
    return { text: changed.text, result: changed.result };
  });
}

/** A refusal as an error that begins with `file:line:` when it is about a line. */
export function refusalOf(inside: string, { line, error, hint }: Unchanged): GaiaError {
  const where = line === undefined ? "" : `${recordPath(inside)}:${line}: `;
  return failure(where + error, hint);
}

export function failure(error: string, hint: string): GaiaError {
  return createError("workspace", error, { hint });
}
