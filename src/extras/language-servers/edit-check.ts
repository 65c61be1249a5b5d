import { withoutMark } from "./documents.ts";
import { newErrors, type PlacedError } from "./new-errors.ts";
import { withoutGuesses } from "./packages.ts";
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

/** What a server said after an edit, which is how it was before the next one. */
interface Seen {
  readonly texts: ReadonlyMap<string, string | undefined>;
  /** By the files that it was asked about. */
  readonly errors: ReadonlyMap<string, readonly PlacedError[]>;
  /** What else was then as it was. */
  readonly world: string;
}

const seenBy = new WeakMap<LanguageServer, Seen>();

/** The errors that edits have made, as it is told after one. @param disturbances see {@link errorsMade} */
export async function checkEdit(
  server: LanguageServer,
  edited: readonly Edited[],
  reader: Reader,
  disturbances: number,
): Promise<string[]> {
  return renderErrors(await errorsMade(server, edited, reader, disturbances));
}

/**
 * The same errors, a line each: in these files and those that take something from them. What was wrong before is known from the
 * edit before, where nothing else has changed since; else the server is asked, and only where something is wrong now.
 * @param disturbances how often something ran that may have changed packages or files that programs make
 */
export async function errorsMade(
  server: LanguageServer,
  edited: readonly Edited[],
  reader: Reader,
  disturbances: number,
): Promise<string[]> {
  /** By the texts that the server has at this moment. */
  const errorsOf = async (paths: readonly string[]): Promise<PlacedError[]> =>
    (await server.errorsOf(paths, ANSWER_MS)).map((error) => ({
      ...error,
      line: linesOf(server.documents.text(error.path) ?? "")[error.start.line] ?? "",
    }));
  const paths = edited.map(({ path }) => path);
  const then = seenBy.get(server);
  // It works on these while the project is looked through; a file that is new makes it read the project in again.
  const isLikely = then !== undefined && edited.every(({ before: text }) => text !== null);
  const early = isLikely ? await server.open(paths) : [];
  const earlyTexts = new Map(early.map((path) => [path, server.documents.text(path)]));
  const earlyErrors = early.length === 0 ? null : errorsOf(early);
  earlyErrors?.catch(() => undefined); // It is waited for below, or asked again.
  await server.follow();
  const open = await server.open([...paths, ...(await server.files.importersOf(paths, MAX_IMPORTERS))]);
  const world = `${disturbances}:${server.surroundings()}`;
  const isSameWorld = then?.world === world;
  const changed = server.takeChanged();
  const seen = stillTrue(isSameWorld ? then : undefined, edited, changed);
  seenBy.delete(server);
  const texts = new Map(open.map((path) => [path, server.documents.text(path)]));
  const isAsAsked =
    isSameWorld && [...changed].every((path) => texts.has(path) && earlyTexts.get(path) === texts.get(path));
  let after = (
    await Promise.all(
      earlyErrors !== null && isAsAsked
        ? [earlyErrors, errorsOf(open.filter((path) => !earlyTexts.has(path)))]
        : [errorsOf(open)],
    )
  ).flat();
  const wrong = [...new Set(after.map(({ path }) => path))];
  const known = wrong.map((path) => seen?.errors.get(path));
  const before = known.includes(undefined)
    ? await errorsBefore(server, edited, async () => errorsOf(wrong))
    : known.flatMap((errors) => errors ?? []);
  // What it had not noticed at the first question, it may have by the next: what an edit made, it says in both.
  const isTwice = !isSameWorld && newErrors(before, after).length > 0;
  if (isTwice) after = await errorsOf(open);
  const errors = new Map(open.map((path) => [path, after.filter((error) => error.path === path)]));
  const isAsThen = [...server.takeChanged()].every(
    (path) => texts.has(path) && server.documents.text(path) === texts.get(path),
  );
  // One answer in a world that is new to it is no ground for the next edit.
  if (isAsThen) seenBy.set(server, { texts, errors: isSameWorld || isTwice ? errors : new Map(), world });
  // No text brings a file back that is gone; nobody missed it while it was there.
  const gone = edited.filter(({ path, before: text }) => text !== null && !open.includes(path));
  const held = before.filter(({ line }) => !gone.some(({ path }) => takesFrom(line, path)));
  const now = after.filter(({ path }) => wrong.includes(path));
  const made = newErrors(held, now);
  const sure = reader.isBare === true ? withoutGuesses(made, now) : made;
  return sure.map((error) => renderError(server, error, reader));
}

/** What was seen, where only these files have another text since, and had the text of then before they were edited. */
function stillTrue(
  seen: Seen | undefined,
  edited: readonly Edited[],
  changed: ReadonlySet<string>,
): Seen | null {
  const before = new Map(edited.map((each) => [each.path, withoutMark(each.before ?? "")]));
  const isSame =
    [...changed].every((path) => before.has(path)) &&
    [...before].every(([path, text]) => seen?.texts.get(path) === text);
  return isSame ? (seen ?? null) : null;
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
    await server.follow();
  }
}

function renderErrors(lines: readonly string[]): string[] {
  if (lines.length === 0) return [];
  const left = lines.length - (MAX_LINES - 1);
  const shown = left > 0 ? [...lines.slice(0, MAX_LINES - 2), `… and ${left + 1} more.`] : lines;
  return ["New errors since this edit, by the language server:", ...shown];
}
