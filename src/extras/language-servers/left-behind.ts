import { createSourceFiles } from "./source-files.ts";
import type { ServerEntry } from "./servers.ts";

/** By language: files that take something from its own and that its server does not read. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  typescript: ["vue", "svelte", "astro", "mdx"],
};
/** Files that are told of. */
const MAX_FILES = 20;

/**
 * Files that a rename leaves behind: they name what is renamed and take something from the files that are changed, and the
 * server does not know them.
 * @param changed absolute paths
 * @returns absolute paths
 */
export async function findLeftBehind(
  { entry, root }: { readonly entry: Pick<ServerEntry, "language">; readonly root: string },
  name: string,
  changed: readonly string[],
): Promise<string[]> {
  const endings = BESIDE[entry.language] ?? [];
  if (endings.length === 0) return [];
  const files = createSourceFiles(root, {
    languageIds: new Map(endings.map((ending) => [ending, ending])),
    roots: [],
  });
  await files.look();
  const taking = new Set(await files.importersOf(changed, Infinity));
  return (await files.mentioning(name, Infinity)).filter((path) => taking.has(path)).slice(0, MAX_FILES);
}
