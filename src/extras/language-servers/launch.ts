import { createMessageConnection, StreamMessageWriter } from "vscode-jsonrpc/node";
import { bounded } from "../../lib/bounded.ts";
import { type PipedStart, startPiped } from "../../process/piped-process.ts";
import { createMessageReader } from "./message-reader.ts";

/** What a server says without being asked, and asks for itself. */
export interface Listener {
  notified(method: string, params: unknown): void;
  /** @returns the answer */
  asked(method: string, params: unknown): unknown;
}

/** A running server. */
export interface Wire {
  /** @throws Error when the server refuses, ends, or does not answer within `ms` */
  request(method: string, params: unknown, ms: number): Promise<unknown>;
  notify(method: string, params: unknown): void;
  /** Why it is no longer there; null while it is. */
  gone(): string | null;
  /** Called once when it is no longer there. */
  whenGone(listener: () => void): void;
  /** Bytes that it and all it started hold; null where the platform does not tell. */
  memory(): Promise<number | null>;
  /** Ends it with everything that it started. Never rejects. */
  end(): Promise<void>;
}

/** The protocol's codes for an answer that has to be asked for again. */
const ASK_AGAIN = new Set([-32_801, -32_802]);
const MAX_ASKED = 5;
const PAUSE_MS = 200;

/** Starts a server. Its process dies with this one: it reads of the end of its input, and is told whose child it is. */
export function launch(start: PipedStart, listener: Listener): Wire {
  const { clock } = start;
  const server = startPiped(start);
  const connection = createMessageConnection(
    createMessageReader(server),
    new StreamMessageWriter(server.input),
  );
  connection.onError(() => undefined);
  connection.onNotification((method, params) => listener.notified(method, params));
  // The library takes these for itself, and hands on what it asked for nowhere.
  connection.onUnhandledProgress((params) => listener.notified("$/progress", params));
  connection.onRequest((method, params) => listener.asked(method, params) ?? null);
  connection.listen();

  const alive = async <T>(answer: Promise<T>): Promise<T> => {
    let forget: () => void = () => undefined;
    const end = new Promise<never>((_resolve, reject) => {
      forget = server.whenGone(() => reject(new Error(server.gone() ?? "it ended")));
    });
    try {
      return await Promise.race([answer, end]);
    } finally {
      forget();
    }
  };

  const ask = async (method: string, params: unknown): Promise<unknown> => {
    for (let asked = 1; ; asked += 1) {
      try {
        return await connection.sendRequest<unknown>(method, params);
      } catch (error) {
        if (asked >= MAX_ASKED || !ASK_AGAIN.has(codeOf(error))) throw error;
        await new Promise<void>((done) => {
          clock.after(PAUSE_MS, done);
        });
      }
    }
  };

  return {
    async request(method, params, ms) {
      const why = server.gone();
      if (why !== null) throw new Error(why);
      return bounded(alive(ask(method, params)), ms, clock, method);
    },
    notify(method, params) {
      if (server.gone() !== null) return;
      connection.sendNotification(method, params).catch(() => undefined); // Its end is told of by the process.
    },
    gone: server.gone,
    whenGone: server.whenGone,
    memory: server.memory,
    async end() {
      const ended = server.end();
      connection.dispose();
      await ended;
    },
  };
}

/** The protocol's code of an error; 0 for another kind. */
export function codeOf(error: unknown): number {
  return error instanceof Error && "code" in error && typeof error.code === "number" ? error.code : 0;
}
