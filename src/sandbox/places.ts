import { createHash } from "node:crypto";
import { mkdirSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { realOf, ownCacheFolder } from "../lib/folders.ts";
import { pathFoldersIn } from "../policy/real-path.ts";
import { existingPaths, findHiddenPlaces, type HiddenPlaces, parted, placeAt } from "./hidden-places.ts";
import type { ContainmentInput } from "./port.ts";
import type { PrivateFolder } from "./private-folder.ts";
import type { ContainmentProfile, Places } from "./profile.ts";
import { foldersAround, guardedPaths, type ProjectFinds, searchProject } from "./project-places.ts";
import { repositoryPaths } from "./repository-places.ts";
import { findSockets } from "./sockets.ts";

/** After how long the project and the home are searched again, in milliseconds. */
const SEARCH_LIFETIME_MS = 30_000;
/** How long what the last search found is good enough meanwhile. */
const SEARCH_GRACE_MS = 5 * 60_000;

/** When a command could make something in the project. */
export interface Span {
  readonly from: number;
  to: number;
}

/** @param input of which `project` is a real path */
export function findPlaces(input: ContainmentInput & { readonly home: string }) {
  const { environment, home, clock, project, allowSensitive: allow, hides = () => true } = input;
  const spans: Span[] = [];
  let search: { at: number; finds: Promise<ProjectFinds> } | null = null;
  let last: { at: number; finds: ProjectFinds } | null = null;
  let hidden: { at: number; places: HiddenPlaces } | null = null;

  const key = createHash("sha256").update(project).digest("hex").slice(0, 16);
  const caches = join(ownCacheFolder(environment, home), "containment", key);
  const atHome = (path: string): string => (path.startsWith("~/") ? join(home, path.slice(2)) : path);
  const allowed = input.writable.map(atHome).filter((path) => isAbsolute(path));
  const denied = (kind: "read" | "edit"): string[] =>
    (input.denied?.()[kind] ?? []).map((path) => resolve(project, atHome(path)));

  const isOwn = (path: string): boolean => {
    const born = bornAt(path);
    return spans.some(({ from, to }) => from <= born && born <= to);
  };

  /** In a big project a search takes seconds: commands wait for the first, and for none that is begun in time. */
  const find = async (): Promise<ProjectFinds> => {
    const now = clock.now();
    if (search === null || now - search.at > SEARCH_LIFETIME_MS) {
      const finds = searchProject({ project, allow, isOwn });
      search = { at: now, finds };
      void finds.then(
        (found) => (last = { at: now, finds: found }),
        () => (search = null),
      );
    }
    return last !== null && now - last.at <= SEARCH_GRACE_MS ? last.finds : search.finds;
  };

  return {
    async placesFor(folder: string, { temp, empty }: Pick<PrivateFolder, "temp" | "empty">): Promise<Places> {
      if (hidden === null || clock.now() - hidden.at > SEARCH_LIFETIME_MS)
        hidden = { at: clock.now(), places: findHiddenPlaces(environment, home, allow) };
      const { folders, files, shown } = hidden.places;
      const found = await find();
      mkdirSync(caches, { recursive: true, mode: 0o700 });
      const written = existingPaths(allowed);
      const onPath = pathFoldersIn(environment, [project, ...written]);
      const guarded = [...guardedPaths(project), ...found.guarded, ...onPath, ...denied("edit")];
      const readOnly = existingPaths([
        ...[project, ...written].flatMap(repositoryPaths),
        join(project, ".gaia"),
        ...guarded,
        ...found.readOnly,
      ]);
      const further = parted(denied("read").flatMap((path) => placeAt(path) ?? []));
      return {
        project,
        folder: realOf(folder),
        temp,
        caches: realOf(caches),
        empty,
        hiddenFolders: [...existingPaths(folders).filter((path) => path !== project), ...further.folders],
        hiddenFiles: existingPaths([
          ...files,
          ...[...findSockets(project), ...found.pipes].filter(hides),
          ...found.secrets,
          ...further.files,
        ]),
        shown: existingPaths(shown),
        writable: written,
        pinned: [...new Set(foldersAround(readOnly, [project, ...written]))],
        readOnly,
        guarded,
      };
    },
    /** Notes a command that begins now: a repository that it makes is its own, and stays writable. */
    writing({ project: access }: ContainmentProfile, to: number): Span {
      const span = { from: clock.now(), to };
      if (access === "write") spans.push(span);
      return span;
    },
  };
}

function bornAt(path: string): number {
  try {
    return statSync(path).birthtimeMs;
  } catch {
    return 0; // It went away meanwhile.
  }
}
