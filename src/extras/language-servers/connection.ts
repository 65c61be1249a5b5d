import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from "vscode-jsonrpc/node";
import { bounded } from "../../lib/async.ts";
import { type PipedStart, startPiped } from "../../process/piped-process.ts";

/** What a server says without being asked, and asks for itself. */
export interface Listener {
  notified(method: string, params: unknown): void;
  /** @returns the answer */
  asked(method: string, params: unknown): unknown;
}

/** A server that sends a longer message, or prints so much that is none, is ended; in bytes. */
const MAX_MESSAGE = 64_000_000;
const MAX_NOISE = 4_000_000;

/** Starts a server. Its process dies with this one: it reads of the end of its input, and is told whose child it is. */
export function connect(start: PipedStart, listener: Listener) {
  const { clock } = start;
  const server = startPiped(start);
  const reader = new StreamMessageReader(server.output);
  reader.partialMessageTimeout = 0;
  const connection = createMessageConnection(reader, new StreamMessageWriter(server.input));
  reader.onError(({ message }) => void server.end(`it prints something else than the protocol: ${message}`));
  connection.onError(() => undefined); // A broken pipe is told of by the process that ended.
  connection.onNotification((method, params) => listener.notified(method, params));
  // The library keeps these from the handler of all notifications.
  connection.onUnhandledProgress((params) => listener.notified("$/progress", params));
  connection.onRequest((method, params) => listener.asked(method, params) ?? null);
  connection.listen();
  // Called behind the reader, which holds what is no whole message.
  server.output.on("data", () => {
    const wanted = reader["nextMessageLength"];
    const held = reader["buffer"].numberOfBytes;
    if (wanted > MAX_MESSAGE) void server.end(`it sends a message of ${wanted} bytes`);
    else if (wanted === -1 && held > MAX_NOISE) void server.end("it prints something else than the protocol");
  });
  // Whoever waits for an answer hears of it at once.
  server.whenGone(() => connection.dispose());

  const ask = async <T>(method: string, params: unknown): Promise<T> =>
    connection.sendRequest<T>(method, params).catch((error: unknown) => {
      const why = server.gone();
      throw why === null ? error : new Error(why, { cause: error });
    });

  return {
    /** @throws Error when the server refuses, ends, or does not answer within `ms` */
    request: async <T>(method: string, params: unknown, ms: number): Promise<T> =>
      bounded(ask<T>(method, params), ms, clock, method),
    notify(method: string, params: unknown): void {
      if (server.gone() !== null) return;
      connection.sendNotification(method, params).catch(() => undefined); // Its end is told of by the process.
    },
    /** Why it is no longer there; null while it is. */
    gone: server.gone,
    end: async () => server.end(),
  };
}

export type Connection = ReturnType<typeof connect>;
