import { access } from "node:fs/promises";
import { join, relative } from "node:path";
import type { FoundServer } from "./find-server.ts";
import type { CodeError } from "./protocol.ts";

/** Where packages are installed, by language. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  typescript: ["node_modules"],
  vue: ["node_modules"],
  svelte: ["node_modules"],
  python: [".venv", "venv"],
  php: ["vendor"],
};
/** What servers call a package, or the types of one, that they do not find. */
const MISSING =
  /^(?:2307|2792|7016|7026|2875|258[0-4]|259[1-3]|reportMissingImports|reportMissingModuleSource)$/;
/** A module of the project's own. */
const OWN_MODULE = /^(?:Cannot find module|Could not find a declaration file for module|Import) ['"][./]/;

/**
 * Whether packages that are installed in the user's own tree are not in a worktree that stands for it.
 * @param project real path of the worktree
 * @param home real path of the user's own tree
 */
export async function lacksPackages(
  { entry, root }: Pick<FoundServer, "entry" | "root">,
  project: string,
  home: string,
): Promise<boolean> {
  if (project === home) return false;
  const below = relative(project, root);
  const lacking = (FOLDERS[entry.language] ?? []).flatMap((name) =>
    [...new Set(["", below])].map(
      async (folder) =>
        (await isThere(join(home, folder, name))) && !(await isThere(join(project, folder, name))),
    ),
  );
  return (await Promise.all(lacking)).includes(true);
}

/** Errors without those of files of which a server does not know what they take: nobody can tell what is wrong there. */
export function withoutGuesses<E extends CodeError>(errors: readonly E[], all: readonly CodeError[]): E[] {
  const unknown = new Set(all.filter(isMissing).map(({ path }) => path));
  return errors.filter((error) => !unknown.has(error.path) || OWN_MODULE.test(error.message));
}

function isMissing({ code, message }: CodeError): boolean {
  return MISSING.test(code) && !OWN_MODULE.test(message);
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
