import { ANSWER_MS, lineAt, MAX_USERS } from "./answers.ts";
import type { CodeError } from "./diagnostics.ts";
import { moduleNamesOf, usesOneOf } from "./names.ts";
import type { LanguageServer } from "./server.ts";

/** A file that was edited, by its real path, with what it held before; null for one that was not there. */
export interface Edited {
  readonly path: string;
  readonly before: string | null;
}

/** An error with the line in which it stands. */
export interface PlacedError extends CodeError {
  readonly line: string;
}

/** The errors that edits have made, in these files and those that use them. */
export async function findNewErrors(
  server: LanguageServer,
  edited: readonly Edited[],
): Promise<readonly CodeError[]> {
  const paths = edited.map(({ path }) => path);
  /** By the texts that the server has at this moment. */
  const errorsOf = async (asked: readonly string[]): Promise<PlacedError[]> =>
    (await server.errorsOf(asked, ANSWER_MS)).map((error) => ({
      ...error,
      line: lineAt(server, error.path, error.start),
    }));
  await server.follow();
  const open = await server.open([...paths, ...(await server.files.usersOf(paths, MAX_USERS))]);
  const after = await errorsOf(open);
  if (after.length === 0) return [];
  const wrong = [...new Set(after.map(({ path }) => path))];
  const then = await errorsBefore(server, edited, async () => errorsOf(wrong));
  // No text brings a file back that is gone; nobody missed it while it was there.
  const gone = edited.filter(({ path, before }) => before !== null && !open.includes(path));
  const names = gone.flatMap(({ path }) => moduleNamesOf(path));
  const before = then.filter(({ line }) => !usesOneOf(line, names));
  const made = newErrors(before, after);
  if (made.length === 0) return [];
  // A server may notice meanwhile what was installed. What an edit made, it says again.
  const again = newErrors(before, await errorsOf(wrong));
  return made.filter((error) => again.some((other) => sameLine(other) === sameLine(error)));
}

/** Has the server take the texts before for the files', for a question. */
async function errorsBefore(
  server: LanguageServer,
  edited: readonly Edited[],
  ask: () => Promise<PlacedError[]>,
): Promise<PlacedError[]> {
  try {
    for (const { path, before } of edited) server.pretend(path, before ?? "");
    return await ask();
  } finally {
    await server.open(edited.map(({ path }) => path));
  }
}

/**
 * The errors that were not there before, in their order. Lines move with every edit, so errors are told apart by file, kind,
 * words and what their line says; of those that are left, as many of a kind are new as there are more of them.
 */
export function newErrors(before: readonly PlacedError[], after: readonly PlacedError[]): PlacedError[] {
  const [gone, come] = [without(before, after, sameLine), without(after, before, sameLine)];
  return without(come, gone, alike);
}

function alike({ path, code, message }: CodeError): string {
  return `${path}\0${code}\0${message}`;
}

function sameLine(error: PlacedError): string {
  return `${alike(error)}\0${error.line.trim()}`;
}

/** A list without as many of each kind as another one has. */
function without(
  list: readonly PlacedError[],
  others: readonly PlacedError[],
  kindOf: (error: PlacedError) => string,
): PlacedError[] {
  const left = new Map<string, number>();
  for (const error of others) left.set(kindOf(error), (left.get(kindOf(error)) ?? 0) + 1);
  return list.filter((error) => {
    const count = left.get(kindOf(error)) ?? 0;
    left.set(kindOf(error), count - 1);
    return count <= 0;
  });
}
