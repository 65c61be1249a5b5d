import type { ConfigProblem } from "../config/problem.ts";

/** Whether a problem may have swallowed the Definition of Done. A wrong key says so by its path; a syntax error or an unreadable file can swallow the key without naming it. */
export function mayHideDefinition({ kind, path }: ConfigProblem): boolean {
  return path.startsWith("definitionOfDone") || kind === "syntax" || kind === "unreadable";
}
