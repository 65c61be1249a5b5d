import { dirname, join, relative } from "node:path";
import { listFolder } from "../../lib/read-source.ts";
import { type ProgramCommand, findInstalled, foldersUpTo, type ProgramPlaces } from "../programs.ts";
import { endingOf, entryFor, SERVERS, type ServerEntry } from "./known-servers.ts";
import { listFiles } from "./source-files.ts";

export interface FoundServer {
  readonly entry: ServerEntry;
  /** Absolute real path. */
  readonly root: string;
  /** Of the tree that it lies in, which says what contains the server. */
  readonly top: string;
  readonly command: ProgramCommand;
}

export interface ServerPlaces extends ProgramPlaces {
  readonly top: string;
  readonly configured: readonly ServerEntry[];
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
export async function findServer(file: string, surroundings: ServerPlaces): Promise<FoundServer | string> {
  const { project, configured, top } = surroundings;
  const entry = entryFor(file, [...configured, ...SERVERS]);
  if (entry === undefined) return `No language server is known for ${relative(project, file)}.`;
  const root = await findRoot(dirname(file), project, entry);
  for (const [program = "", ...args] of entry.commands) {
    const own = OWN_FOLDERS.map((folder) => join(folder, program));
    const path = await findInstalled(program, own, root, surroundings);
    if (path !== null) return { entry, root, top, command: [path, ...args] };
  }
  return `No language server for ${entry.language} is installed: ${entry.commands[0]?.[0]} is neither in the project nor on PATH. To install it: ${entry.install}`;
}

/** The servers for the languages of a project, as they would be started; a program of null for none. Languages of settings are left out where none is there. */
export async function surveyServers(surroundings: ServerPlaces) {
  const paths = await listFiles(surroundings.project, () => true);
  const files = new Map(Array.from(paths.keys(), (path) => [endingOf(path), path]));
  const reports = SERVERS.map(async ({ language, languageIds, roots, install }) => {
    const file = [...languageIds.keys()].map((ending) => files.get(ending)).find(Boolean);
    if (file === undefined) return [];
    const found = await findServer(file, surroundings);
    const program = typeof found === "string" ? null : found.command[0];
    return program === null && roots.length === 0 ? [] : [{ language, install, program }];
  });
  return (await Promise.all(reports)).flat();
}

/** The outermost folder up to the project in which a project of the language begins; the project where none does. */
async function findRoot(folder: string, project: string, { roots }: ServerEntry): Promise<string> {
  let found = project;
  for (const at of foldersUpTo(folder, project)) {
    const names = ((await listFolder(at)) ?? []).map(({ name }) => name);
    const isRoot = roots.some((root) =>
      root.startsWith("*") ? names.some((name) => name.endsWith(root.slice(1))) : names.includes(root),
    );
    if (isRoot) found = at;
  }
  return found;
}
