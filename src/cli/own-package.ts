import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { createError } from "../lib/error.ts";
import { recordOf, textOf, type JsonRecord } from "../lib/json.ts";

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

/** What one types before the name of a command: of a clone, which npx does not know, its own file. Pure. */
export function howToRun(folder: string): string {
  if (basename(dirname(folder)) === "node_modules") return `npx ${PACKAGE_NAME}`;
  const file = join(folder, "dist", "cli.js");
  return `node ${/\s/.test(file) ? `"${file}"` : file}`;
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
