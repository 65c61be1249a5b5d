/** The user's own uncommitted files, for those who work beside them. */
export function renderUsers(names: string): string {
  return `Uncommitted and the user's own: ${names}. Leave it out of commits (git add the work's files by name), never undo or rewrite it.`;
}
