import { join } from "node:path";
import { exists, findBelow, type Search } from "../../lib/find-below.ts";
import { parsePattern } from "../../lib/path-pattern.ts";
import type { ArtifactDefinition } from "../../config/definition-of-done.ts";
import type { ArtifactReport } from "./report.ts";

/** Folders read per pattern; a project with more needs a more exact pattern. */
const MAX_FOLDERS = 20_000;

/**
 * Looks for each artifact below the project. An artifact is anything that exists: file, folder, or link to something that does.
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
    const { done } = await findBelow(directory, steps, search).next();
    if (done !== true) return { ...report, found: true };
  }
  if (search.foldersLeft > 0) return { ...report, found: false };
  return {
    ...report,
    found: false,
    problem: `not in the first ${MAX_FOLDERS} folders; name it more exactly`,
  };
}
