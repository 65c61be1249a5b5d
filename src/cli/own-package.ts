import { existsSync } from "node:fs";
import { readFile, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createError } from "../lib/error.ts";
import { parseJson, recordOf, textOf, type JsonRecord } from "../lib/json.ts";
import { readText } from "../lib/read-source.ts";

/** The name under which this package is published, and under which opencode.json lists it. */
export const PACKAGE_NAME = "opencode-gaia";

export interface OwnPackage {
  /** Its real folder, links resolved. */
  readonly folder: string;
  readonly version: string;
}

/** Reads the package that this code belongs to, built or not. @throws GaiaError when its package.json is gone */
export async function readOwnPackage(): Promise<OwnPackage> {
  const folder = await packageFolderAbove(dirname(fileURLToPath(import.meta.url)));
  if (folder === null) {
    throw createError("cli", "This installation of opencode-gaia has no package.json.", {
      hint: `Install it again: npm install ${PACKAGE_NAME}`,
    });
  }
  const manifest = recordOf(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  return { folder, version: textOf(manifest["version"]) ?? "" };
}

/** What one types in a folder before the name of a command: of a copy that npx does not find from there, its own file. */
export async function howToRun({ folder }: OwnPackage, directory: string): Promise<string> {
  if ((await installedAbove(directory, folder)) !== null || (await isFromRegistry(folder)))
    return `npx ${PACKAGE_NAME}`;
  const file = join(folder, "dist", "cli.js");
  return `node ${/\s/.test(file) ? `"${file}"` : file}`;
}

/** The entry of the nearest `node_modules` from a folder upwards that is this very package, or any copy of it; null for none. */
export async function installedAbove(directory: string, packageFolder?: string): Promise<string | null> {
  for (let folder = directory; ; folder = dirname(folder)) {
    const local = join(folder, "node_modules", PACKAGE_NAME);
    const real = await realpath(local).catch(() => null);
    if (real !== null && real === (packageFolder ?? real)) return local;
    if (dirname(folder) === folder) return null;
  }
}

/** Whether npm's own record of the `node_modules` around a package says that it came from a registry. */
export async function isFromRegistry(packageFolder: string): Promise<boolean> {
  const lock = await readText(join(dirname(packageFolder), ".package-lock.json"));
  const packages = recordOf(recordOf(parseJson(lock))["packages"]);
  const resolved = textOf(recordOf(packages[`node_modules/${PACKAGE_NAME}`])["resolved"]) ?? "";
  return resolved.startsWith("https://") || resolved.startsWith("http://");
}

/** The folder of this package that holds `path`, or null when the nearest package is another one. */
export async function packageFolderAbove(path: string): Promise<string | null> {
  let folder = path;
  while (!existsSync(join(folder, "package.json"))) {
    if (dirname(folder) === folder) return null;
    folder = dirname(folder);
  }
  return (await readManifest(folder))?.["name"] === PACKAGE_NAME ? folder : null;
}

/** The package.json of a folder; null where there is none that anyone could use. */
export async function readManifest(folder: string): Promise<JsonRecord | null> {
  try {
    return recordOf(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  } catch {
    return null; // Not to be read, so not ours.
  }
}
