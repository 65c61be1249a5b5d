import {
  createServer,
  type IncomingMessage,
  type Server as HttpServer,
  type ServerResponse,
} from "node:http";
import { createHash, timingSafeEqual } from "node:crypto";
import type { AddressInfo } from "node:net";
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { createError, describeError } from "../../lib/error.ts";
import type { McpProject } from "./tools.ts";
import { createMcpServer } from "./server.ts";

const PATH = "/mcp";
const MAX_BODY = 1_000_000;
const MAX_CONNECTIONS = 512;
const HEADERS_MS = 10_000;
const BODY_MS = 30_000;

/** Holds what a client over HTTP has to show. */
export const TOKEN_VARIABLE = "GAIA_MCP_TOKEN";
/** What a header carries as it is. */
const TOKEN = /^[!-~]{16,}$/;

/** @throws GaiaError without a token that no one guesses and every client can send */
export function tokenOf(environment: NodeJS.ProcessEnv): string {
  const token = environment[TOKEN_VARIABLE] ?? "";
  if (TOKEN.test(token)) return token;
  throw createError(
    "mcp",
    `${TOKEN_VARIABLE} holds no token: 16 or more of ASCII's letters, digits and signs.`,
    {
      hint: `For example: ${TOKEN_VARIABLE}=$(openssl rand -hex 32) opencode-gaia mcp --http`,
    },
  );
}

export interface Listening {
  readonly address: string;
  close(): Promise<void>;
}

/** Listens for clients of this machine that show the token. @param port 0 for any that is free */
export async function listenForMcp(project: McpProject, token: string, port: number): Promise<Listening> {
  const ends = new Set<() => Promise<void>>();
  const http = createServer((request, response) => {
    answer(project, token, request, response, ends).catch((error: unknown) => {
      if (response.headersSent) response.destroy();
      else refuse(response, 500, describeError(error));
    });
  });
  http.headersTimeout = HEADERS_MS;
  http.requestTimeout = BODY_MS;
  http.maxConnections = MAX_CONNECTIONS;
  await new Promise<void>((resolve, reject) => {
    http.once("error", (cause: NodeJS.ErrnoException) => {
      const isTaken = cause.code === "EADDRINUSE";
      const what = isTaken ? `Port ${port} is taken by another program.` : describeError(cause);
      reject(createError("mcp", what, { cause, hint: "--port names another one, 0 any that is free." }));
    });
    http.listen(port, "127.0.0.1", resolve);
  });
  return {
    address: `http://127.0.0.1:${portOf(http)}${PATH}`,
    async close() {
      await Promise.all([...ends].map(async (end) => end()));
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

async function answer(
  project: McpProject,
  token: string,
  request: IncomingMessage,
  response: ServerResponse,
  ends: Set<() => Promise<void>>,
): Promise<void> {
  const { headers, method, url, socket } = request;
  // A page in a browser may send requests here, by a name of its own that leads to this machine.
  if (!isOwnHost(headers.host, socket.localPort) || !isOwnOrigin(headers.origin, socket.localPort))
    return refuse(response, 403, "Only this machine is answered, under its own name.");
  if (!showsToken(headers.authorization, token)) {
    response.setHeader("WWW-Authenticate", "Bearer");
    return refuse(response, 401, "The token is missing or wrong.");
  }
  if ((url ?? "").split("?")[0] !== PATH) return refuse(response, 404, `There is only ${PATH}.`);
  if (method !== "POST") {
    response.setHeader("Allow", "POST");
    return refuse(response, 405, "Each request stands by itself.");
  }
  const body = await readBody(request);
  if (body === null) return refuse(response, 413, `A request holds at most ${MAX_BODY} bytes.`);
  const server = await createMcpServer(project);
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const end = async (): Promise<void> => server.close();
  ends.add(end);
  // Who goes away before the answer wants none: what runs for it ends.
  response.once("close", () => void end());
  try {
    await server.connect(transport);
    const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
    const asked = new Request(`http://127.0.0.1${PATH}`, { method, headers: given, body });
    const answered = await transport.handleRequest(asked);
    response.writeHead(answered.status, Object.fromEntries(answered.headers));
    response.end(Buffer.from(await answered.arrayBuffer()));
  } finally {
    ends.delete(end);
  }
}

function isOwnHost(host: string | undefined, port: number | undefined): boolean {
  return host === `127.0.0.1:${port}` || host === `localhost:${port}`;
}

/** Programs send none; a page of another place sends its own. */
function isOwnOrigin(origin: string | undefined, port: number | undefined): boolean {
  return origin === undefined || (origin.startsWith("http://") && isOwnHost(origin.slice(7), port));
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_000, message } }));
}

/** All of it is taken in, however long: a connection that is closed before takes the answer along. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY) chunks.push(chunk);
  }
  return size > MAX_BODY ? null : Buffer.concat(chunks).toString("utf8");
}

function portOf(http: HttpServer): number {
  return (http.address() as AddressInfo).port;
}

/** Whether a header shows the token; takes the same time for every wrong one. */
function showsToken(header: string | undefined, token: string): boolean {
  const given = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1] ?? "";
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}
