/** GAIA's own record: no part of what is reviewed or delivered, and it changes with every check. */
export const RECORD = ".gaia";

/** The record, as the end of a git command line in the project's folder. A folder of that name deeper down is no record. */
export const WITHOUT_RECORD = ["--", ".", `:(exclude,literal)${RECORD}`] as const;

const HEAD_OF_RECORD = new RegExp(`^diff --git "?a/(?:.*/)?\\${RECORD}/`);

/** A diff in git's format without the files of the record. */
export function cutRecord(diff: string): string {
  const files = diff.split(/^(?=diff --git )/m);
  return files.filter((file) => !HEAD_OF_RECORD.test(file)).join("");
}
