import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { parseJson, recordOf, textOf } from "../../lib/json.ts";
import { failed } from "./run-git.ts";
import type { LaneStore } from "./store.ts";
import { unitPlaceOf, type UnitPlace } from "./unit-place.ts";
import { readText } from "../../lib/read-source.ts";

/** What is kept of a unit's tree, beside it. */
export interface UnitNote {
  /** The project that the unit belongs to: a repository may hold several. */
  readonly project: string;
  /** The branch's commit when it was last looked at. */
  readonly tip: string;
  readonly isReady: boolean;
  /** Its unit is archived: another one of the same name is not the one whose work stands there. */
  readonly isArchived?: boolean;
}

/** @throws GaiaError for what is no unit's name */
export function placeOf(store: Pick<LaneStore, "folder">, unit: string): UnitPlace {
  const place = unitPlaceOf(store.folder, unit);
  if (place === null) throw failed(`${unit} names no unit.`);
  return place;
}

export async function readNote(path: string): Promise<UnitNote | null> {
  const text = await readText(path);
  const { project, tip, isReady, isArchived } = recordOf(parseJson(text));
  const [of, at] = [textOf(project), textOf(tip)];
  if (of === undefined || at === undefined) return null;
  return { project: of, tip: at, isReady: isReady === true, isArchived: isArchived === true };
}

export async function keepNote(path: string, note: UnitNote): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFile(`${path}.new`, JSON.stringify(note));
  await rename(`${path}.new`, path);
}
