import type { CheckSuggestion, ProjectFolder } from "./suggestion.ts";

const FILE = ".pre-commit-config.yaml";

/** All hooks of pre-commit over all files; it fails where one of them changes a file, and that is put back. */
export function suggestPreCommit({ texts }: ProjectFolder): CheckSuggestion[] {
  if (texts[FILE]?.includes("id:") !== true) return [];
  return [{ id: "pre-commit", command: "pre-commit run --all-files", kind: "lint", source: FILE }];
}
