import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Vcs } from "../../vcs/port.ts";
import { subjectsOf } from "../learnings/subjects.ts";

/** Paths that are looked for, and what is told of them: no more than is remembered as told. */
const MAX_LOOKED_FOR = 2_000;
const MAX_GONE = 200;

/** A text that people rely on. */
export interface ReliedOn {
  /** Where it stands, for a person. */
  readonly where: string;
  readonly text: string;
}

/** A file that such a text names, that was there once, and is no more. */
export interface Gone {
  readonly where: string;
  readonly path: string;
}

/**
 * What is no longer so: files that are named with their folder, are not there, and that the history knows. What never was
 * there is an example, or still to be written.
 */
export async function findGone(
  texts: readonly ReliedOn[],
  directory: string,
  vcs: Pick<Vcs, "held">,
): Promise<Gone[]> {
  const named = texts.flatMap(({ where, text }) =>
    [...new Set(subjectsOf(text).files)].map((path) => ({ where, path })),
  );
  const inFolders = named.map(({ path }) => path).filter((path) => /^[^/.].*\//.test(path));
  const missing = [...new Set(inFolders)]
    .filter((path) => !path.includes(".."))
    .slice(0, MAX_LOOKED_FOR)
    .filter((path) => !existsSync(join(directory, path)));
  const known = new Set(missing.length === 0 ? [] : await vcs.held(missing));
  return named.filter(({ path }) => known.has(path)).slice(0, MAX_GONE);
}
