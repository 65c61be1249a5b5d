import { realpathSync } from "node:fs";
import { access, constants, readdir } from "node:fs/promises";
import { delimiter, dirname, isAbsolute, join, relative, resolve } from "node:path";
import { isWithin } from "../../sandbox/profile.ts";
import { entryFor, INITIALIZATION, type ServerEntry } from "./servers.ts";
import type { ConfiguredServer } from "./configured.ts";

/** A server that can be started for a file. */
export interface FoundServer {
  readonly entry: ServerEntry;
  readonly root: string;
  readonly command: readonly [program: string, ...args: string[]];
  readonly environment: Readonly<Record<string, string>>;
  readonly initialization: unknown;
}

/** Where servers are looked for. */
export interface Surroundings {
  /** Real path of the project, or of a worktree that stands for it. */
  readonly project: string;
  /** The user's own tree, where the tools of the project are installed. */
  readonly home: string;
  readonly path: string;
  readonly configured: readonly ConfiguredServer[];
  /** Whether a program of the project's may be started: not one that came with the repository. */
  mayRun(path: string): Promise<boolean>;
}

/** Folders of a project in which its package managers put programs. */
const OWN_FOLDERS = [
  "node_modules/.bin",
  ".venv/bin",
  "venv/bin",
  ".venv/Scripts",
  "venv/Scripts",
  "vendor/bin",
];

/** The server for a file, or a sentence about what to install. @param file real path inside the project */
export async function findServer(file: string, surroundings: Surroundings): Promise<FoundServer | string> {
  const { configured } = surroundings;
  const own = configured.find(({ entry }) => entryFor(file, [entry]) !== undefined);
  const entry = own?.entry ?? entryFor(file);
  if (entry === undefined) return `No language server is known for ${relative(surroundings.project, file)}.`;
  const root = await findRoot(dirname(file), surroundings.project, entry);
  for (const [program = "", ...args] of own === undefined ? entry.commands : [own.command]) {
    const path = await findProgram(program, root, surroundings);
    if (path === null) continue;
    return {
      entry,
      root,
      command: [path, ...args],
      environment: own?.environment ?? {},
      initialization: own?.initialization ?? INITIALIZATION[program],
    };
  }
  const named = own?.command[0] ?? entry.commands[0]?.[0] ?? "";
  return `No language server for ${entry.language} is installed: ${named} is neither in the project nor on PATH. To install it: ${entry.install}`;
}

/** The outermost folder up to the project in which a project of the language begins; the project where none does. */
async function findRoot(folder: string, project: string, { roots }: ServerEntry): Promise<string> {
  let found = project;
  for (const at of upTo(folder, project)) {
    const names = await readdir(at).catch((): string[] => []);
    const isRoot = names.some((name) =>
      roots.some((root) => (root.startsWith("*") ? name.endsWith(root.slice(1)) : name === root)),
    );
    if (isRoot) found = at;
  }
  return found;
}

/** A folder and those above it, up to another one. */
function upTo(folder: string, top: string): string[] {
  const above = dirname(folder);
  return folder === top || above === folder ? [folder] : [folder, ...upTo(above, top)];
}

async function findProgram(
  program: string,
  root: string,
  surroundings: Surroundings,
): Promise<string | null> {
  const { project, home, path, mayRun } = surroundings;
  if (isAbsolute(program)) return runnable(program);
  const inside: string[] = [];
  for (const at of upTo(root, project)) {
    const inHome = resolve(home, relative(project, at));
    for (const top of new Set([at, inHome])) inside.push(...OWN_FOLDERS.map((own) => join(top, own)));
  }
  for (const folder of inside) {
    const found = await runnable(join(folder, program));
    if (found !== null && (await mayRun(found))) return found;
  }
  const listed = path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isWithin(folder, project) && !isWithin(folder, home));
  for (const folder of listed) {
    const found = await runnable(join(folder, program));
    // A link in a folder of the user's may lead back into the project.
    if (found !== null && !isWithin(realOf(found), home)) return found;
  }
  return null;
}

/** The program at a path, by the name that it has on this system; null for none. */
async function runnable(path: string): Promise<string | null> {
  const names = process.platform === "win32" ? [`${path}.cmd`, `${path}.exe`] : [path];
  for (const name of names) {
    const isThere = await access(name, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return name;
  }
  return null;
}

/** The path that links lead to; the path itself where there is nothing. */
export function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path; // There is nothing yet.
  }
}
