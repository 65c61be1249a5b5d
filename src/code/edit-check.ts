import { newErrors } from "./new-errors.ts";
import { linesOf } from "./position.ts";
import { ANSWER_MS, type Reader, renderError } from "./questions.ts";
import { takesFrom } from "./source-files.ts";
import type { LanguageServer } from "./server.ts";

/** Files that are looked at because they take something from the ones that were edited. */
const MAX_IMPORTERS = 25;
/** Lines about an edit, with the one above them. */
const MAX_LINES = 10;

/** A file that was edited, by its real path, with what it held before; null for one that was not there. */
export interface Edited {
  readonly path: string;
  readonly before: string | null;
}

/**
 * The errors that edits have made, in these files and those that take something from them. What was wrong before is found out
 * only where something is wrong now, by having the server take the texts before for the files'.
 */
export async function checkEdit(
  server: LanguageServer,
  edited: readonly Edited[],
  reader: Reader,
): Promise<string[]> {
  /** By the texts that the server has at this moment. */
  const errorsOf = async (paths: readonly string[]) =>
    (await server.errorsOf(paths, ANSWER_MS)).map((error) => ({
      ...error,
      line: linesOf(server.documents.text(error.path) ?? "")[error.start.line] ?? "",
      shown: renderError(server, error, reader),
    }));
  const paths = edited.map(({ path }) => path);
  await server.follow();
  const open = await server.open([...paths, ...(await server.files.importersOf(paths, MAX_IMPORTERS))]);
  const after = await errorsOf(open);
  if (after.length === 0) return [];
  try {
    for (const { path, before } of edited) server.pretend(path, before ?? "");
    const before = await errorsOf([...new Set(after.map(({ path }) => path))]);
    // No text brings a file back that is gone; nobody missed it while it was there.
    const gone = edited.filter(({ path, before }) => before !== null && !open.includes(path));
    const known = before.filter(({ line }) => !gone.some(({ path }) => takesFrom(line, path)));
    return renderErrors(newErrors(known, after).map(({ shown }) => shown));
  } finally {
    await server.open(paths);
    await server.follow();
  }
}

function renderErrors(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - (MAX_LINES - 1);
  const shown = left > 0 ? [...lines.slice(0, MAX_LINES - 2), `… and ${left + 1} more.`] : lines;
  return ["New errors since this edit, by the language server:", ...shown];
}
