import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Where GAIA's own configuration goes, and under which other name it may be there already. */
export interface ConfigFile {
  readonly path: string;
  readonly alternative: string;
}

/** @param folder the project, or OpenCode's configuration folder of the user */
export function configFileOf(scope: "project" | "global", folder: string): ConfigFile {
  const base = scope === "project" ? join(folder, ".gaia", "config") : join(folder, "gaia");
  return { path: `${base}.jsonc`, alternative: `${base}.json` };
}

/** The file that is there already, or null. */
export function existingConfig({ path, alternative }: ConfigFile): string | null {
  return [path, alternative].find((candidate) => existsSync(candidate)) ?? null;
}

/** The starter file: `$schema`, and examples in comments. @param schema see `Reference.schema` */
export async function renderStarterConfig(packageFolder: string, schema: string): Promise<string> {
  const template = join(packageFolder, "templates", "init", "config.jsonc");
  return (await readFile(template, "utf8")).replace("{{schema}}", () => schema);
}
