import { readdir, readFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

/** One import of a module of the project, types included; paths are relative to `src`, with forward slashes. */
export interface Import {
  readonly from: string;
  readonly to: string;
}

const SPECIFIER = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g;

/** Every TypeScript file below a folder with its text; paths are relative to the folder. */
export async function readSources(folder: string): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name.endsWith(".ts"));
  return new Map(
    await Promise.all(
      files.map(async ({ parentPath, name }): Promise<[string, string]> => {
        const path = join(parentPath, name);
        return [relative(folder, path).replaceAll("\\", "/"), await readFile(path, "utf8")];
      }),
    ),
  );
}

export function listImports(sources: ReadonlyMap<string, string>): Import[] {
  return [...sources].flatMap(([from, text]) =>
    [...text.matchAll(SPECIFIER)].map(([, specifier = ""]) => ({
      from,
      to: relative(".", resolve(dirname(from), specifier)).replaceAll("\\", "/"),
    })),
  );
}
