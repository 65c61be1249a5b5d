import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { mergedFolders, userConfigFolder } from "../merged-folders.ts";
import { readPluginList } from "../plugin-list.ts";
import { isOwnEntry } from "../plugin-spec.ts";

/** The options that opencode.json gives this plugin here, the nearest file first; undefined where there are none. */
export async function findOwnOptions(directory: string, environment: NodeJS.ProcessEnv): Promise<unknown> {
  for (const folder of mergedFolders(directory, userConfigFolder(environment))) {
    for (const name of ["opencode.jsonc", "opencode.json"]) {
      const text = await readFile(join(folder, name), "utf8").catch(() => "");
      const list = readPluginList(text);
      for (const entry of list.ok ? list.entries : []) {
        if (Array.isArray(entry) && (await isOwnEntry(entry, folder))) return entry[1] as unknown;
      }
    }
  }
  return undefined;
}
