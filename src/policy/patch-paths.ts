const HEADER = /^\*\*\* (?:(?:Add|Update|Delete) File|Move to): (.+?)\s*$/gmu;

/** The files that an `apply_patch` text adds, updates, deletes or moves to, in its order and each once. */
export function patchPaths(patch: string): string[] {
  return [...new Set([...patch.matchAll(HEADER)].map((match) => match[1] ?? ""))].filter(
    (path) => path !== "",
  );
}
