import type { FilePlace } from "../../host/tool.ts";
import type { ContainmentInput } from "../../sandbox/port.ts";
import { type Clock, createLines, lazy } from "../../lib/async.ts";
import { describeError, isRefusal, type Refusal, refuse } from "../../lib/error.ts";
import { excerpt } from "../../lib/text.ts";
import { usersSettings } from "../../trust/options-origin.ts";
import { locate, type Located } from "../changes/locate.ts";
import { contain, type ProgramNeeds, programsAt } from "../programs.ts";
import { findServer, type FoundServer, surveyServers } from "./find-server.ts";
import { readConfigured, type ServerEntry, SERVERS } from "./known-servers.ts";
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

  const locateIn = (file: string, place: FilePlace): Located | Refusal => locate(file, place, allowSensitive);
  const find = async (file: string, place: FilePlace): Promise<Subject | Refusal> => {
    const located = locateIn(file, place);
    if (isRefusal(located)) return located;
    const places = programsAt(place, { ...input, environment });
    const found = await findServer(located.path, { ...places, configured: await configured() });
    return typeof found === "string" ? refuse(found) : { ...located, found };
  };

  return {
    ...pool,
    locate: locateIn,
    /** The languages of a place whose servers are there. */
    async languages(place: FilePlace): Promise<string[]> {
      const places = programsAt(place, { ...input, environment });
      const found = await surveyServers({ ...places, configured: await configured() });
      return found.flatMap(({ language, program }) => (program === null ? [] : language));
    },
    /** The user's first. */
    entries: async (): Promise<readonly ServerEntry[]> => [...(await configured()), ...SERVERS],
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

/** Servers at once: the one that was used longest ago is ended for another. */
const MAX_SERVERS = 4;
/** How long a server that nobody asks is kept, in milliseconds, and how often that is looked at. */
const IDLE_MS = 600_000;
const LOOK_MS = 30_000;
/** How long nobody asks a server that did not start or answer, in milliseconds: what kept it may be over then. */
const COOL_DOWN_MS = 120_000;
/** The protocol's code for a question that a server does not know. */
const METHOD_NOT_FOUND = -32_601;
const MAX_WHY = 300;

/** Thrown for a server that cannot be asked; its message is for the model. */
export class ServerTrouble extends Error {
  override readonly name = "ServerTrouble";
}

interface Slot {
  readonly found: FoundServer;
  server: Promise<LanguageServer> | null;
  waiting: number;
  usedAt: number;
  failedAt: number;
}

/**
 * Language servers, one per root and language. One lives from the first question for it until nobody has asked it for a while,
 * it fails, or another one needs the room.
 */
function createPool(start: (found: FoundServer) => Promise<LanguageServer>, clock: Clock) {
  // In the order of their last use.
  const slots = new Map<string, Slot>();
  const ending = new Set<Promise<void>>();
  const inLine = createLines();
  let cancelLook: (() => void) | null = null;
  let isDisposed = false;

  const up = (): Slot[] => [...slots.values()].filter(({ server }) => server !== null);
  const end = (slot: Slot): void => {
    const { server } = slot;
    slot.server = null;
    if (server === null) return;
    const job: Promise<void> = server
      .then(async (each) => each.end())
      .catch(() => undefined) // It never came up.
      .finally(() => ending.delete(job));
    ending.add(job);
  };
  const keepLooking = (): void => {
    cancelLook ??= clock.after(LOOK_MS, () => {
      cancelLook = null;
      for (const slot of up()) if (slot.waiting === 0 && clock.now() - slot.usedAt >= IDLE_MS) end(slot);
      if (!isDisposed && up().length > 0) keepLooking();
    });
  };
  const serverOf = async (slot: Slot): Promise<LanguageServer> => {
    const running = await slot.server?.catch(() => null);
    if (running?.gone() === null) return running;
    end(slot);
    const others = up();
    if (others.length >= MAX_SERVERS) {
      const oldest = others.find(({ waiting }) => waiting === 0);
      if (oldest === undefined)
        throw new ServerTrouble(`All ${MAX_SERVERS} language servers are busy. Ask again in a moment.`);
      end(oldest);
    }
    slot.server = start(slot.found);
    keepLooking();
    return slot.server;
  };
  const askSlot = async <T>(slot: Slot, question: (server: LanguageServer) => Promise<T>): Promise<T> => {
    const { language, install } = slot.found.entry;
    const name = `The language server for ${language}`;
    if (isDisposed) throw new ServerTrouble("OpenCode closed the project.");
    if (clock.now() - slot.failedAt < COOL_DOWN_MS)
      throw new ServerTrouble(`${name} does not work here at the moment: go on without it.`);
    let server: LanguageServer | null = null;
    try {
      server = await serverOf(slot);
      return await question(server);
    } catch (error) {
      if (error instanceof ServerTrouble) throw error;
      const gone = server?.gone() ?? null;
      const why = excerpt(gone ?? describeError(error), MAX_WHY);
      const code = server === null || gone !== null ? 0 : errorCodeOf(error);
      if (code === METHOD_NOT_FOUND) throw new ServerTrouble(`${name} knows nothing of that. Use grep.`);
      if (code !== 0) throw new ServerTrouble(`${name} answered: ${why}`);
      end(slot);
      slot.failedAt = clock.now();
      // What is on PATH may only stand for a program that is not installed, as rustup's does.
      throw new ServerTrouble(
        server === null
          ? `${name} did not start: ${why}\nTo install it: ${install}`
          : `${name} did not answer: ${why}`,
      );
    }
  };

  return {
    /** Asks a server something, one question at a time. @throws ServerTrouble */
    async ask<T>(found: FoundServer, question: (server: LanguageServer) => Promise<T>): Promise<T> {
      const key = `${found.entry.language}\0${found.root}\0${found.command.join("\0")}`;
      const fresh: Slot = { found, server: null, waiting: 0, usedAt: 0, failedAt: -Infinity };
      const slot = slots.get(key) ?? fresh;
      slots.delete(key);
      slots.set(key, slot);
      slot.waiting += 1;
      try {
        return await inLine(key, async () => askSlot(slot, question));
      } finally {
        slot.waiting -= 1;
        slot.usedAt = clock.now();
      }
    },
    /** Servers that run at this moment, the one used longest ago first. */
    running: (): FoundServer[] => up().map(({ found }) => found),
    async dispose(): Promise<void> {
      isDisposed = true;
      cancelLook?.();
      for (const slot of slots.values()) end(slot);
      await Promise.all(ending);
    },
  };
}

/** The protocol's code of an error; 0 for another kind. */
function errorCodeOf(error: unknown): number {
  return error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : 0;
}
