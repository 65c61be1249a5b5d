import { join } from "node:path";
import { createError } from "../lib/error.ts";
import { GAIA_FOLDER, resolveInsideGaia } from "./gaia-path.ts";
import { LOCAL_FOLDER } from "./store/gaia-files.ts";

/**
 * Where a file lies among what this checkout alone has of the record.
 * @param name below that folder @param hint what to do where it leads out of the project
 * @throws GaiaError where it does
 */
export async function localFile(project: string, name: string, hint: string): Promise<string> {
  const own = `${GAIA_FOLDER}/${LOCAL_FOLDER}/${name}`;
  const place = await resolveInsideGaia(project, own);
  if (!place.ok) throw createError("workspace", `${own} cannot be written: ${place.reason}.`, { hint });
  return join(project, own);
}
