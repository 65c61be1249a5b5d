import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { matchesStep, parsePattern, type PatternStep } from "../../lib/path-pattern.ts";
import type { ArtifactDefinition } from "../../config/definition-of-done.ts";
import type { ArtifactReport } from "./report.ts";

/** Folders that a wildcard does not enter; naming one in the pattern does. */
const CLOSED_FOLDERS = new Set(["node_modules", ".git", ".jj"]);
/** Folders read per pattern; a project with more needs a more exact pattern. */
const MAX_FOLDERS = 20_000;

interface Search {
  foldersLeft: number;
  signal: AbortSignal;
}

/**
 * Looks for each artifact below the project. Links are not followed by wildcards, so a cycle cannot hold the search.
 * An artifact is anything that exists: file, folder, or link to something that does.
 */
export async function findArtifacts(
  directory: string,
  artifacts: readonly ArtifactDefinition[],
  signal: AbortSignal,
): Promise<ArtifactReport[]> {
  return Promise.all(artifacts.map((artifact) => findArtifact(directory, artifact, signal)));
}

async function findArtifact(
  directory: string,
  artifact: ArtifactDefinition,
  signal: AbortSignal,
): Promise<ArtifactReport> {
  const report = { path: artifact.path, optional: artifact.optional };
  const alternatives = parsePattern(artifact.path);
  if (!alternatives) return { ...report, found: false, problem: "is not a path inside the project" };
  // Brackets and braces also occur in real names, such as app/[id]/page.tsx.
  if (await exists(join(directory, artifact.path))) return { ...report, found: true };
  const search: Search = { foldersLeft: MAX_FOLDERS, signal };
  for (const steps of alternatives) {
    if (await isBelow(directory, steps, search)) return { ...report, found: true };
  }
  if (search.foldersLeft > 0) return { ...report, found: false };
  return {
    ...report,
    found: false,
    problem: `not in the first ${MAX_FOLDERS} folders; name it more exactly`,
  };
}

async function isBelow(folder: string, steps: readonly PatternStep[], search: Search): Promise<boolean> {
  const [step, ...rest] = steps;
  if (!step) return exists(folder);
  if (step.kind === "name") return isBelow(join(folder, step.name), rest, search);
  if (step.kind === "folders" && (await isBelow(folder, rest, search))) return true;
  for (const entry of await list(folder, search)) {
    if (!matchesStep(entry.name, step) || CLOSED_FOLDERS.has(entry.name)) continue;
    if (rest.length > 0 && !entry.isDirectory()) continue;
    if (await isBelow(join(folder, entry.name), step.kind === "folders" ? steps : rest, search)) return true;
  }
  return false;
}

async function list(folder: string, search: Search): Promise<Dirent[]> {
  if (search.foldersLeft <= 0 || search.signal.aborted) return [];
  search.foldersLeft -= 1;
  // Not a folder, or not ours to read: nothing is found in it.
  return readdir(folder, { withFileTypes: true }).catch((): Dirent[] => []);
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
