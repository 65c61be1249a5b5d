import { join, relative } from "node:path";
import type { FilePlace } from "../../host/tool.ts";
import { bounded } from "../../lib/bounded.ts";
import type { Clock } from "../../lib/clock.ts";
import { exists } from "../../lib/find-below.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { ANSWER_MS, lineAt, MAX_USERS, renderError } from "./answers.ts";
import type { CodeError } from "./diagnostics.ts";
import type { FoundServer } from "./find-server.ts";
import { moduleNamesOf, usesOneOf } from "./names.ts";
import type { EditedFile } from "./open.ts";
import type { LanguageServer } from "./server.ts";
import type { Servers } from "./servers.ts";

/** How long an edit's result waits for what the server has to say, in milliseconds. */
const AFTER_EDIT_MS = 10_000;
/** Where packages are installed in a project. */
const PACKAGES = ["node_modules", ".venv", "venv", "vendor"];

/** A question about edited files. @returns the new errors, a line each; none where nobody can tell */
type Ask = () => Promise<string[]>;

export type EditErrors = ReturnType<typeof createEditErrors>;

/** What edits have broken, by the account of the servers that know their files. */
export function createEditErrors(servers: Servers, clock: Clock) {
  /** Servers that an edit waited for in vain, until they are in time again; and those that are asked for an edit. */
  const late = new Set<string>();
  const asked = new Set<string>();

  const questions = async (
    edited: readonly EditedFile[],
    place: FilePlace,
  ): Promise<(readonly [key: string, ask: Ask])[]> => {
    const groups = new Map<string, { readonly found: FoundServer; readonly files: Edited[] }>();
    for (const { path, before } of edited) {
      const subject = await servers.find(path, place);
      if (isRefusal(subject)) continue;
      const { located, found } = subject;
      const key = `${found.entry.language}\0${found.root}`;
      const group = groups.get(key) ?? { found, files: [] };
      group.files.push({ path: located.path, before });
      groups.set(key, group);
    }
    const reader = servers.readerOf(place);
    return Array.from(groups, ([key, { found, files }]) => {
      const ask: Ask = async () => {
        if (await lacksPackages(found.root, reader.project, servers.home)) return [];
        const errors = await servers.ask(found, async (server) => findNewErrors(server, files));
        return errors.map((error) => renderError(error, reader));
      };
      return [key, ask];
    });
  };

  /** What a server says in time; nothing of one that does not. One that is still coming up goes on, for the next edit. */
  const inTime = async ([key, ask]: readonly [string, Ask]): Promise<string[]> => {
    if (asked.has(key)) return [];
    asked.add(key);
    const begun = clock.now();
    const answer = ask()
      .catch(() => []) // What is wrong with it is told to whom asks it something.
      .finally(() => {
        asked.delete(key);
        if (clock.now() - begun < AFTER_EDIT_MS) late.delete(key);
      });
    if (late.has(key)) return [];
    return bounded(answer, AFTER_EDIT_MS, clock, "The language server").catch(() => {
      late.add(key);
      return [];
    });
  };

  return {
    /** Empty where nobody can tell in time. Never rejects. */
    async newErrors(edited: readonly EditedFile[], place: FilePlace): Promise<string[]> {
      const asks = bounded(questions(edited, place), AFTER_EDIT_MS, clock, "Looking for servers");
      return (await Promise.all((await asks.catch(() => [])).map(inTime))).flat();
    },
  };
}

/**
 * Whether packages that are installed in the user's own tree are not in a worktree that stands for it: nobody can tell there
 * what is wrong with code that uses them.
 */
async function lacksPackages(root: string, project: string, home: string): Promise<boolean> {
  const folders = ["", relative(project, root)].flatMap((below) => PACKAGES.map((name) => join(below, name)));
  const lacking = folders.map(
    async (folder) => (await exists(join(home, folder))) && !(await exists(join(project, folder))),
  );
  return project !== home && (await Promise.all(lacking)).includes(true);
}

/** A file that was edited, by its real path, with what it held before; null for one that was not there. */
interface Edited {
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
