import type { Position } from "vscode-languageserver-types";
import type { FilePlace } from "../../host/tool.ts";
import { bounded, type Clock } from "../../lib/async.ts";
import { isRefusal } from "../../lib/error.ts";
import { realPathOf } from "../../policy/real-path.ts";
import { ANSWER_MS, MAX_USERS, renderError } from "./answer-errors.ts";
import type { CodeError } from "./diagnostics.ts";
import type { FoundServer } from "./find-server.ts";
import { moduleNamesOf, splitLines, usesOneOf } from "./names.ts";
import type { LanguageServer } from "./server.ts";
import type { Servers } from "./servers.ts";

/** How long an edit's result waits for what the server has to say, in milliseconds. */
const AFTER_EDIT_MS = 10_000;

export interface EditedFile {
  /** As who changed it named it. */
  readonly path: string;
  /** What it held before; null where there was none. */
  readonly before: string | null;
}

export type EditErrors = ReturnType<typeof createEditErrors>;

/** What edits have broken, by the account of the servers that know their files. */
export function createEditErrors(servers: Servers, clock: Clock) {
  /** Servers that an edit waited for in vain, until they have answered: no other edit waits for them. */
  const late = new Set<string>();

  /** The edited files by the server that knows them. */
  const group = async (edited: readonly EditedFile[], place: FilePlace) => {
    const groups = new Map<string, { readonly found: FoundServer; readonly files: EditedFile[] }>();
    for (const { path, before } of edited) {
      const subject = await servers.find(path, place);
      if (isRefusal(subject)) continue;
      const { found } = subject;
      const key = `${found.entry.language}\0${found.root}`;
      const known = groups.get(key) ?? { found, files: [] };
      known.files.push({ path: subject.path, before });
      groups.set(key, known);
    }
    return groups;
  };

  return {
    /** Empty where nobody can tell in time. Never rejects. */
    async newErrors(edited: readonly EditedFile[], place: FilePlace): Promise<string[]> {
      const found = bounded(group(edited, place), AFTER_EDIT_MS, clock, "Looking for servers");
      const groups = await found.catch(() => new Map<string, never>());
      const project = realPathOf(place.project);
      /** What a server says in time; nothing of one that does not. One that is still coming up goes on, for a later edit. */
      const asks = Array.from(groups, async ([key, { found: server, files }]): Promise<string[]> => {
        if (late.has(key)) return [];
        // What is wrong with a server is told to whom asks it something.
        const answer = servers
          .ask(server, async (each) => findNewErrors(each, files))
          .catch(() => [])
          .finally(() => late.delete(key));
        const errors = await bounded(answer, AFTER_EDIT_MS, clock, "The language server").catch(() => {
          late.add(key);
          return [];
        });
        return errors.map((error) => renderError(error, project));
      });
      return (await Promise.all(asks)).flat();
    },
  };
}

/** An error with the line in which it stands. */
export interface PlacedError extends CodeError {
  readonly line: string;
}

/** The errors that edits have made, in these files and those that use them. @param edited by their real paths */
export async function findNewErrors(
  server: LanguageServer,
  edited: readonly EditedFile[],
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
  return newErrors(before, after);
}

/** Has the server take the texts before for the files', for a question. */
async function errorsBefore(
  server: LanguageServer,
  edited: readonly EditedFile[],
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

function lineAt(server: Pick<LanguageServer, "documents">, path: string, { line }: Position): string {
  return splitLines(server.documents.get(path)?.getText() ?? "")[line] ?? "";
}
