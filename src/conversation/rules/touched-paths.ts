import { relative, resolve } from "node:path";
import type { RunningCall } from "../tool-calls/tool-fact.ts";

/** Files by name, relative to the project, with `/` between their parts. */
export interface TouchedPaths {
  readonly read: readonly string[];
  readonly written: readonly string[];
}

/** What a call read by name, and what it wrote by whatever tool, as the policy tells. Pure. */
export function touchedPaths({ effect, examination, place }: RunningCall): TouchedPaths {
  const inProject = (paths: readonly string[]): string[] =>
    paths
      .map((path) => relative(place.project, resolve(place.directory, path)).replaceAll("\\", "/"))
      .filter((path) => path !== "" && !/^(?:\.\.(?:\/|$)|\/|[a-zA-Z]:)/.test(path));
  const isLook = effect.kind === "read" && effect.searches !== true && effect.patterns.length === 0;
  return {
    read: inProject(isLook || effect.kind === "other" ? effect.paths : []),
    written: inProject(examination.writes),
  };
}
