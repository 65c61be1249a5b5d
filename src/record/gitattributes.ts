/** Files to which people only append: git may keep both sides' lines. A plan is edited in place and must not be. */
const APPEND_ONLY = [".gaia/**/log.md", ".gaia/**/decisions.md"] as const;

/**
 * What to add to `.gitattributes` so that two people's records merge by themselves; null when it says so already.
 * @param current the file's text, empty when there is none
 */
export function adviseGitattributes(current: string): string | null {
  const rules = current
    .split(/\r\n|\n|\r/)
    .map((line) => line.trim().split(/\s+/))
    .filter(([first = ""]) => first !== "" && !first.startsWith("#"));
  const missing = APPEND_ONLY.filter(
    (path) => !rules.some(([pattern, ...attributes]) => pattern === path && settlesMerge(attributes)),
  );
  return missing.length === 0 ? null : missing.map((path) => `${path} merge=union\n`).join("");
}

/** A rule of the user's own about merging the same files is theirs to keep. */
function settlesMerge(attributes: readonly string[]): boolean {
  return attributes.some((attribute) => /^[-!]?merge(?:=|$)/.test(attribute));
}
