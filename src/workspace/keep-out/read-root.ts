import { dirname, join } from "node:path";
import { READ_AT_ROOT, type RootFiles } from "./tools.ts";
import { listFolder, readHead } from "../../lib/read-source.ts";

/** The most folders above a package in which its tools may be set up. */
const MAX_FOLDERS = 8;
const MAX_TEXT = 200_000;

/** What a project's folder, and those above it up to its repository's root, say of its tools. What cannot be read is absent. */
export async function readRoot(directory: string): Promise<{ names: readonly string[]; files: RootFiles }> {
  const names: string[] = [];
  const files: Record<string, string> = {};
  let folder = directory;
  for (let depth = 0; depth < MAX_FOLDERS; depth += 1) {
    const here = ((await listFolder(folder)) ?? []).map(({ name }) => name);
    names.push(...here);
    for (const name of READ_AT_ROOT) {
      if (!here.includes(name)) continue;
      const text = (await readHead(join(folder, name), MAX_TEXT))?.bytes.toString("utf8") ?? "";
      files[name] = `${files[name] ?? ""}${text}\n`;
    }
    if (here.includes(".git") || here.includes(".jj") || dirname(folder) === folder) break;
    folder = dirname(folder);
  }
  return { names, files };
}
