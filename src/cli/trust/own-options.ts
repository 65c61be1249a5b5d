import { join } from "node:path";
import { openCodeConfigFolder } from "../../lib/user-folders.ts";
import { mergedFolders } from "../merged-folders.ts";
import { readPluginList } from "../plugin-list.ts";
import { isOwnEntry } from "../plugin-spec.ts";
import { readText } from "../../lib/read-source.ts";

/** The options that opencode.json gives this plugin here, the nearest file first; undefined where there are none. */
export async function findOwnOptions(directory: string, environment: NodeJS.ProcessEnv): Promise<unknown> {
  const folders = mergedFolders(directory, openCodeConfigFolder(environment));
  const names = folders.flatMap((folder) =>
    ["opencode.jsonc", "opencode.json"].map((name) => ({ folder, name })),
  );
  const found = await Promise.all(names.map(async ({ folder, name }) => optionsIn(folder, name)));
  return found.flat()[0];
}

async function optionsIn(folder: string, name: string): Promise<unknown[]> {
  const list = readPluginList(await readText(join(folder, name)));
  const tuples = (list.ok ? list.entries : []).filter((entry) => Array.isArray(entry));
  const isOwn = await Promise.all(tuples.map(async (entry) => isOwnEntry(entry, folder)));
  return tuples.filter((_entry, at) => isOwn[at]).map((entry) => entry[1] as unknown);
}
