import { realpath } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { textOf } from "../lib/json.ts";
import { PACKAGE_NAME, packageFolderAbove } from "./own-package.ts";

/** The text of an entry of `plugin`: the entry itself, or the first element of a `[spec, options]` tuple. */
export function specOf(entry: unknown): string | null {
  return textOf(Array.isArray(entry) ? entry[0] : entry) ?? null;
}

/**
 * Whether an entry of `plugin` means this package: by its npm name, with or without a version, or by a path into it.
 * @param folder of the file that holds the entry; relative paths start there
 */
export async function isOwnEntry(entry: unknown, folder: string): Promise<boolean> {
  const spec = specOf(entry);
  if (spec === null) return false;
  if (new RegExp(`^(npm:)?${PACKAGE_NAME}(@|$)`).test(spec)) return true;
  const path = pathOf(spec, folder);
  if (path === null) return false;
  return (await packageFolderAbove(await realpath(path).catch(() => path))) !== null;
}

/** The path that a spec stands for, or null for an npm name. */
export function pathOf(spec: string, folder: string): string | null {
  if (spec.startsWith("file://")) return URL.canParse(spec) ? fileURLToPath(spec) : null;
  return isAbsolute(spec) || /^\.{1,2}[/\\]/.test(spec) ? resolve(folder, spec) : null;
}
