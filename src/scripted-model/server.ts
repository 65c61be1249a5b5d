import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parseJson, recordOf } from "../lib/json.ts";
import { agentOf, type RecordedRequest } from "./request.ts";
import { streamTurn } from "./stream.ts";
import { say, type TurnSource } from "./turn.ts";

/** Starts an OpenAI-compatible model on a free port of loopback that says what a script tells it to; all made up. */
export async function startScriptedModel() {
  const requests: RecordedRequest[] = [];
  const unscripted: RecordedRequest[] = [];
  const queues = new Map<string, TurnSource[]>();
  const defaults = new Map<string, TurnSource>([["title", say("A scripted session")]]);
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

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = await text(incoming).catch(() => null);
    if (raw === null) return; // Who asked is gone.
    const request = record(incoming, raw);
    response.on("close", () => {
      request.endedAt = Date.now();
      request.aborted = !response.writableFinished;
    });
    if (request.agent !== "title") requests.push(request);
    await answer(request, response).catch((error: unknown) => {
      unscripted.push(request);
      if (!response.headersSent) response.writeHead(400); // Not 500, which OpenCode would ask again for.
      response.end(`The script itself failed: ${String(error)}`);
    });
  };
  const server = createServer((incoming, response) => void serve(incoming, response));
  // A connection that ends after five seconds of silence may end just as the next request comes on it, which is then lost.
  server.keepAliveTimeout = 0;
  await once(server.listen(0, "127.0.0.1"), "listening");

  return {
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
    async close(): Promise<void> {
      const closed = once(server.close(), "close");
      server.closeAllConnections();
      await closed;
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
