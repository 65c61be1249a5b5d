import { parseJson, recordOf } from "../../lib/json.ts";
import { refuseSlug } from "../slug.ts";
import { LOCAL_FOLDER, type GaiaReader, type GaiaWriter } from "../store/gaia-files.ts";

/**
 * Which unit is active is a fact about this checkout, like git's HEAD: two people work on two units at the same time. So
 * it lives in the folder that git does not see, and can never conflict.
 */
const ACTIVE_FILE = `${LOCAL_FOLDER}/active.json`;

/** The active work unit, or null: none was set, or it is gone. */
export async function readActive(files: GaiaReader): Promise<string | null> {
  const slug = recordOf(parseJson((await files.read(ACTIVE_FILE, "replaceable")) ?? ""))["work_unit"];
  const isName = typeof slug === "string" && refuseSlug(slug) === null;
  return isName && (await files.exists(slug)) ? slug : null;
}

/** Remembers the active work unit; null forgets it. */
export async function writeActive(writer: GaiaWriter, slug: string | null): Promise<void> {
  const text = `${JSON.stringify({ work_unit: slug })}\n`;
  await writer.change(ACTIVE_FILE, () => ({ text, result: null }), "replaceable");
}
