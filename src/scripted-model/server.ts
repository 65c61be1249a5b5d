import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson, recordOf } from "../lib/json.ts";
import { agentOf, type RecordedRequest } from "./request.ts";
import { streamTurn } from "./stream.ts";
import { say, type TurnSource } from "./turn.ts";

/** An OpenAI-compatible model on loopback that says what a script tells it to. Its answers are made up. */
export type ScriptedModel = Awaited<ReturnType<typeof startScriptedModel>>;

/** Starts the server on a free port. */
export async function startScriptedModel() {
  const requests: RecordedRequest[] = [];
  const unscripted: RecordedRequest[] = [];
  const queues = new Map<string, TurnSource[]>();
  const defaults = new Map<string, TurnSource>([["title", say("A scripted session")]]);
  const listeners = new Set<() => void>();
  const sockets = new Set<Socket>();
  let answers = 0;

  const requestsOf = (agent: string): RecordedRequest[] =>
    requests.filter((request) => request.agent === agent);
  const nextTurn = (request: RecordedRequest): TurnSource => {
    const queued = queues.get(request.agent)?.shift() ?? defaults.get(request.agent);
    if (queued !== undefined) return queued;
    unscripted.push(request);
    return {
      status: 400,
      message: `The script has no turn ${requestsOf(request.agent).length} for agent "${request.agent}".`,
    };
  };

  const answer = async (request: RecordedRequest, response: ServerResponse): Promise<void> => {
    const id = `scripted_${(answers += 1)}`; // Taken before any wait: ids of parallel answers must differ.
    const source = nextTurn(request);
    const turn = typeof source === "function" ? await source(request) : source;
    if (turn.delayMs !== undefined) await sleep(turn.delayMs);
    if (!response.destroyed) await streamTurn(response, String(request.body["model"]), turn, id);
  };

  const server = createServer((incoming, response) => {
    readBody(incoming, (raw) => {
      const request = record(incoming, raw);
      response.on("close", () => {
        request.endedAt = Date.now();
        request.aborted = !response.writableFinished;
      });
      if (request.agent !== "title") {
        requests.push(request);
        for (const listener of listeners) listener();
      }
      answer(request, response).catch((error: unknown) => {
        unscripted.push(request);
        if (!response.headersSent) response.writeHead(400); // Not 500, which OpenCode would ask again for.
        response.end(`The script itself failed: ${String(error)}`);
      });
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });

  return {
    /** For the provider's `baseURL`. */
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    /** Every request so far, title requests not counted. */
    requests,
    /** Requests for which there was no turn. Empty in a scenario that went as written. */
    unscripted,
    requestsOf,
    /** Adds turns for an agent (`native` for OpenCode's own), used one after the other. */
    script(agent: string, ...turns: TurnSource[]): void {
      queues.set(agent, [...(queues.get(agent) ?? []), ...turns]);
    },
    /** What an agent says whenever its turns are used up. */
    always(agent: string, turn: TurnSource): void {
      defaults.set(agent, turn);
    },
    /** Waits for an agent's n-th request, counted from 1. @throws after `ms` */
    async request(agent: string, n: number = 1, ms: number = 15_000): Promise<RecordedRequest> {
      const arrived = (): RecordedRequest | undefined => requestsOf(agent)[n - 1];
      const came = (): string => requests.map((request) => request.agent).join(", ") || "none";
      return arrived() ?? waitFor(listeners, arrived, ms, () => `request ${n} of ${agent}; came: ${came()}`);
    },
    /** The most requests of these agents that were open at the same time. */
    mostAtOnce: (...agents: string[]): number =>
      mostAtOnce(requests.filter(({ agent }) => agents.includes(agent))),
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
      });
    },
  };
}

function record(incoming: IncomingMessage, raw: string): RecordedRequest {
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  );
  // A body that is no JSON object still is a request that must be recorded and answered.
  const body = recordOf(parseJson(raw));
  const sessionId = headers["x-session-id"] ?? "";
  return {
    agent: agentOf(body),
    sessionId,
    headers,
    raw,
    body,
    at: Date.now(),
    aborted: false,
    endedAt: null,
  };
}

function readBody(incoming: IncomingMessage, done: (raw: string) => void): void {
  const chunks: Buffer[] = [];
  incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
  incoming.on("end", () => {
    done(Buffer.concat(chunks).toString("utf8"));
  });
}

async function waitFor<T>(
  listeners: Set<() => void>,
  find: () => T | undefined,
  ms: number,
  what: () => string,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const finish = (): void => {
      clearTimeout(timer);
      listeners.delete(check);
    };
    const check = (): void => {
      const found = find();
      if (found === undefined) return;
      finish();
      resolve(found);
    };
    const timer = setTimeout(() => {
      finish();
      reject(new Error(`Waited ${ms} ms for ${what()}.`));
    }, ms);
    listeners.add(check);
  });
}

function mostAtOnce(requests: readonly RecordedRequest[]): number {
  const edges = requests.flatMap(({ at, endedAt }) => [
    { time: at, change: 1 },
    { time: endedAt ?? Infinity, change: -1 },
  ]);
  let open = 0;
  let most = 0;
  for (const { change } of edges.toSorted((a, b) => a.time - b.time || a.change - b.change)) {
    open += change;
    most = Math.max(most, open);
  }
  return most;
}
