/** What the file system says, in words that a person can act on: what is so, and what to do. */
const PROBLEMS: Readonly<Record<string, readonly [what: string, todo: string]>> = {
  EACCES: ["permission is denied", "check the permissions of .gaia/"],
  EPERM: ["permission is denied", "check the permissions of .gaia/"],
  EROFS: ["the file system is read-only", "make .gaia/ writable"],
  ENOSPC: ["the disk is full", "make room on it"],
  EDQUOT: ["your quota on the disk is used up", "make room on it"],
  ENOTDIR: ["a file stands where .gaia/ needs a folder", "move that file away"],
  EEXIST: ["a file stands where .gaia/ needs a folder", "move that file away"],
  EISDIR: ["a folder stands where .gaia/ needs a file", "move that folder away"],
};

/** What an error of the file system means for the record and what to do about it; null for one that nobody can act on. */
export function describeSystemProblem(code: string): { readonly what: string; readonly todo: string } | null {
  const [what, todo] = PROBLEMS[code] ?? [];
  return what === undefined || todo === undefined ? null : { what, todo };
}
