import { recordOf, textOf } from "../../lib/json.ts";
import { refuseSlug } from "../slug.ts";
import type { GaiaReader, GaiaWriter } from "../store/gaia-files.ts";
import { defineLocal } from "./local.ts";

/** Which unit is active is a fact about this checkout, like git's HEAD: two people work on two units at the same time. */
const active = defineLocal("active.json", (value) => ({
  work_unit: textOf(recordOf(value)["work_unit"]) ?? null,
}));

/** The active work unit, or null: none was set, or it is gone. */
export async function readActive(files: GaiaReader): Promise<string | null> {
  const { work_unit: slug } = await active.read(files);
  return slug !== null && refuseSlug(slug) === null && (await files.exists(slug)) ? slug : null;
}

/** Remembers the active work unit; null forgets it. */
export async function writeActive(writer: GaiaWriter, slug: string | null): Promise<void> {
  await active.change(writer, () => ({ work_unit: slug }));
}
