import { join } from "node:path";
import { parseJson, recordOf } from "../../../lib/json.ts";
import { suggestChecks } from "./suggest.ts";
import { type ProjectFolder, READ_FILES } from "./suggestion.ts";
import { listFolder, readHead } from "../../../lib/read-source.ts";

/** Folders directly below the project that are looked into; enough for `frontend` and `backend`. */
const MAX_FOLDERS = 12;
const MAX_MEMBERS = 60;
const MAX_TEXT_BYTES = 200_000;
const NEVER = new Set(["node_modules", "vendor", "target", "dist", "build"]);

/**
 * Reads what {@link suggestChecks} needs: the project itself with the packages of its workspace and, when nothing there names a
 * check, the folders directly below it. Unreadable files count as absent.
 */
export async function readProjectFolders(directory: string): Promise<ProjectFolder[]> {
  const bare = await readFolder(directory, "");
  const members = await readMembers(directory, bare);
  const root = members.length === 0 ? bare : { ...bare, members };
  if (suggestChecks([root]).length > 0) return [root];
  const names = await foldersIn(directory, "");
  const below = names.slice(0, MAX_FOLDERS).map(async (name) => readFolder(directory, name));
  return [root, ...(await Promise.all(below))];
}

/** The packages that a workspace names: by their folder, or all below one. */
async function readMembers(directory: string, { texts }: ProjectFolder): Promise<ProjectFolder[]> {
  const { workspaces } = recordOf(parseJson(texts["package.json"] ?? ""));
  const listed = Array.isArray(workspaces) ? workspaces : recordOf(workspaces)["packages"];
  const quoted = [...(texts["pnpm-workspace.yaml"] ?? "").matchAll(/^\s*-\s*["']?([^"'#\s]+)/gm)].map(
    ([, path]) => path,
  );
  const patterns = [...(Array.isArray(listed) ? listed : []), ...quoted].filter(
    (path): path is string =>
      typeof path === "string" && !path.startsWith("!") && !path.split("/").includes(".."),
  );
  const paths = await Promise.all(
    patterns.map(async (pattern) => {
      const folder = /^(?:\.\/)?([^*]*)\/\*\*?$/.exec(pattern)?.[1];
      return folder === undefined
        ? [pattern]
        : (await foldersIn(directory, folder)).map((name) => `${folder}/${name}`);
    }),
  );
  const folders = paths.flat().slice(0, MAX_MEMBERS);
  return Promise.all(folders.map(async (path) => readFolder(directory, path)));
}

async function foldersIn(directory: string, path: string): Promise<string[]> {
  const entries = (await listFolder(join(directory, path))) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith(".") && !NEVER.has(entry.name))
    .map((entry) => entry.name)
    .toSorted();
}

async function readFolder(directory: string, path: string): Promise<ProjectFolder> {
  const folder = join(directory, path);
  const names = ((await listFolder(folder)) ?? []).map(({ name }) => name);
  const texts: Record<string, string> = {};
  for (const name of READ_FILES) {
    if (!names.includes(name)) continue;
    texts[name] = (await readHead(join(folder, name), MAX_TEXT_BYTES))?.bytes.toString("utf8") ?? "";
  }
  return { path, names, texts };
}
