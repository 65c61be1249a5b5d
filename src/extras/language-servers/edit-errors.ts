import { join, relative } from "node:path";
import type { FilePlace } from "../../host/tool.ts";
import { bounded } from "../../lib/bounded.ts";
import type { Clock } from "../../lib/clock.ts";
import { exists } from "../../lib/find-below.ts";
import { isRefusal } from "../../lib/refusal.ts";
import { renderError } from "./answers.ts";
import type { FoundServer } from "./find-server.ts";
import { type Edited, findNewErrors } from "./new-errors.ts";
import type { EditedFile } from "./open.ts";
import type { Servers } from "./servers.ts";

/** How long an edit's result waits for what the server has to say, in milliseconds. */
const AFTER_EDIT_MS = 10_000;
/** Where packages are installed in a project. */
const PACKAGES = ["node_modules", ".venv", "venv", "vendor"];

/** A question about edited files. @returns the new errors, a line each; none where nobody can tell */
type Ask = () => Promise<string[]>;

/** What edits have broken, by the account of the servers that know their files. */
export interface EditErrors {
  /** Empty where nobody can tell in time. Never rejects. */
  newErrors(edited: readonly EditedFile[], place: FilePlace): Promise<string[]>;
}

export function createEditErrors(servers: Servers, clock: Clock): EditErrors {
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
    async newErrors(edited, place) {
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
