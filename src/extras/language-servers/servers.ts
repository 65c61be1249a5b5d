import type { FilePlace } from "../../host/tool.ts";
import type { ContainmentInput } from "../../sandbox/port.ts";
import { lazy } from "../../lib/async.ts";
import { isRefusal, type Refusal, refuse } from "../../lib/error.ts";
import { usersSettings } from "../../trust/options-origin.ts";
import { locate, type Located } from "../changes/locate.ts";
import { contain, type ProgramNeeds, programsAt } from "../programs.ts";
import { findServer, type FoundServer } from "./find-server.ts";
import { readConfigured } from "./known-servers.ts";
import { createPool } from "./pool.ts";
import type { LanguageServer } from "./server.ts";

export interface CodeInput extends Omit<ProgramNeeds, "environment"> {
  readonly limits: Pick<ContainmentInput, "environment" | "clock" | "allowSensitive">;
}

/** A file in question, and the server that knows it. */
interface Subject extends Located {
  readonly found: FoundServer;
}

/** The language servers of one instance, by the files that are asked about. */
export function createServers(input: CodeInput) {
  const { contained, limits } = input;
  const { clock, environment, allowSensitive } = limits;
  const configured = lazy(async () => readConfigured(await usersSettings(clock, environment)));

  const pool = createPool(async ({ entry, root, top, command: wanted }) => {
    const tree = { top, folder: root, project: "read" } as const;
    const { command, isContained } = await contain(contained, tree, wanted);
    // The protocol's library is loaded with the first server.
    const { startServer } = await import("./server.ts");
    return startServer({
      entry,
      command,
      cwd: root,
      env: { ...environment, ...entry.environment },
      clock,
      seesUs: !isContained,
    });
  }, clock);

  const find = async (file: string, place: FilePlace): Promise<Subject | Refusal> => {
    const located = locate(file, place, allowSensitive);
    if (isRefusal(located)) return located;
    const places = programsAt(place, { ...input, environment });
    const found = await findServer(located.path, { ...places, configured: await configured() });
    return typeof found === "string" ? refuse(found) : { ...located, found };
  };

  return {
    ...pool,
    find,
    /** Asks the server of a file something, with the file open. @throws ServerTrouble */
    async about<T extends object | string>(
      file: string,
      place: FilePlace,
      question: (server: LanguageServer, subject: Subject) => Promise<T | Refusal>,
    ): Promise<T | Refusal> {
      const subject = await find(file, place);
      if (isRefusal(subject)) return subject;
      return pool.ask(subject.found, async (server) => {
        await server.follow();
        return (await server.open([subject.path])).length === 0
          ? refuse(`${subject.name} does not exist, or is no file of a bearable size.`)
          : question(server, subject);
      });
    },
  };
}

export type Servers = ReturnType<typeof createServers>;
