import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { findServer, type Surroundings } from "./find-server.ts";
import { endingOf, SERVERS } from "./servers.ts";
import { NOT_SOURCES } from "./source-files.ts";

/** What there is for a language of a project. */
export interface LanguageReport {
  readonly language: string;
  /** The program; null for none. */
  readonly program: string | null;
  readonly install: string;
}

/** Folders and files that are looked at to know a project's languages. */
const MAX_LOOKED_AT = 5_000;

/** The servers for the languages of a project, as they would be started. Languages of settings are left out where none is there. */
export async function surveyServers(surroundings: Surroundings): Promise<LanguageReport[]> {
  const files = await fileOfEachEnding(surroundings.project);
  const reports = await Promise.all(
    SERVERS.map(async ({ language, languageIds, roots, install }) => {
      const file = [...languageIds.keys()].map((ending) => files.get(ending)).find(Boolean);
      if (file === undefined) return [];
      const found = await findServer(file, surroundings);
      const program = typeof found === "string" ? null : found.command[0];
      return program === null && roots.length === 0 ? [] : [{ language, install, program }];
    }),
  );
  return reports.flat();
}

async function fileOfEachEnding(project: string): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const folders = [project];
  let left = MAX_LOOKED_AT;
  for (let folder = folders.shift(); folder !== undefined && left > 0; folder = folders.shift()) {
    const here = folder;
    const entries = await readdir(here, { withFileTypes: true }).catch(() => []);
    left -= entries.length;
    for (const entry of entries) {
      const isLeftOut = entry.name.startsWith(".") || NOT_SOURCES.has(entry.name);
      if (entry.isDirectory() && !isLeftOut) folders.push(join(here, entry.name));
      if (entry.isFile()) found.set(endingOf(entry.name), join(here, entry.name));
    }
  }
  return found;
}
