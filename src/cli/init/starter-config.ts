import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Where GAIA's own configuration goes, or is already. */
export interface ConfigFile {
  readonly path: string;
  readonly exists: boolean;
}

/** @param folder the project, or OpenCode's configuration folder of the user */
export function findConfigFile(scope: "project" | "global", folder: string): ConfigFile {
  const base = scope === "project" ? join(folder, ".gaia", "config") : join(folder, "gaia");
  const found = [`${base}.jsonc`, `${base}.json`].find((path) => existsSync(path));
  return { path: found ?? `${base}.jsonc`, exists: found !== undefined };
}

/** The starter file: `$schema`, and examples in comments. @param schema see `Reference.schema` */
export async function renderStarterConfig(packageFolder: string, schema: string): Promise<string> {
  const template = join(packageFolder, "templates", "init", "config.jsonc");
  return (await readFile(template, "utf8")).replace("{{schema}}", () => schema);
}
