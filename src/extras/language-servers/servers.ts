import type { FilePlace } from "../../host/tool.ts";
import { lazy } from "../../lib/lazy.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/refusal.ts";
import { realPathOf } from "../../policy/real-path.ts";
import { isSensitivePath } from "../../policy/sensitive-path.ts";
import { usersSettings } from "../../trust/options-origin.ts";
import { locate, type Located } from "../changes/locate.ts";
import { contain, programsAt } from "../programs.ts";
import type { AnswerReader } from "./answers.ts";
import { findServer, type FoundServer } from "./find-server.ts";
import { readConfigured } from "./known-servers.ts";
import type { CodeInput } from "./open.ts";
import { createPool, POOL_BOUNDS, type PoolBounds } from "./pool.ts";
import { type LanguageServer, startServer } from "./server.ts";

/** A file in question, and the server that knows it. */
interface Subject {
  readonly located: Located;
  readonly found: FoundServer;
}

/** The language servers of one instance, by the files that are asked about. */
export function createServers(input: CodeInput, bounds: PoolBounds = POOL_BOUNDS) {
  const { contained, limits, host } = input;
  const { clock, environment, allowSensitive } = limits;
  const home = realPathOf(host.project);
  /** The trees that servers work in, which say what contains them. */
  const tops = new WeakMap<FoundServer, string>();
  const configured = lazy(async () => readConfigured(await usersSettings(clock, environment)));

  const pool = createPool(
    async (found) => {
      const { entry, root } = found;
      const tree = { top: tops.get(found) ?? host.worktree, folder: root, project: "read" } as const;
      const { command, isContained } = await contain(contained, tree, found.command);
      return startServer({
        entry,
        root,
        command,
        folder: root,
        environment: { ...environment, ...entry.environment },
        clock,
        seesUs: !isContained,
      });
    },
    clock,
    bounds,
  );

  const find = async (file: string, place: FilePlace): Promise<Subject | Refusal> => {
    const located = locate(file, place, allowSensitive);
    if (isRefusal(located)) return located;
    const places = programsAt(place, { ...input, environment });
    const found = await findServer(located.path, { ...places, configured: await configured() });
    if (typeof found === "string") return refuse(found);
    tops.set(found, places.top);
    return { located, found };
  };

  return {
    ...pool,
    find,
    /** Real path of the user's own tree. */
    home,
    /** Asks the server of a file something, with the file open. @throws ServerTrouble */
    async about<T extends object | string>(
      file: string,
      place: FilePlace,
      question: (server: LanguageServer, subject: Subject) => Promise<T | Refusal>,
    ): Promise<T | Refusal> {
      const subject = await find(file, place);
      if (isRefusal(subject)) return subject;
      const { path, name } = subject.located;
      return pool.ask(subject.found, async (server) => {
        await server.follow();
        return (await server.open([path])).length === 0
          ? refuse(`${name} does not exist, or is no file of a bearable size.`)
          : question(server, subject);
      });
    },
    readerOf: ({ project }: FilePlace): AnswerReader => ({
      project: realPathOf(project),
      isSensitive: (path) => isSensitivePath(path, allowSensitive),
    }),
  };
}

export type Servers = ReturnType<typeof createServers>;
