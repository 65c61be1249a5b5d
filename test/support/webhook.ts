import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * A server on loopback that keeps what it is sent.
 * @param elsewhere where it leads who comes; by default it takes what it is sent
 */
export async function openWebhook(elsewhere?: string) {
  const told: { event: string; text: string }[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      told.push(JSON.parse(Buffer.concat(chunks).toString("utf8")) as (typeof told)[number]);
      if (elsewhere !== undefined) response.writeHead(302, { location: elsewhere });
      response.end();
    });
  });
  /** The bodies, in the order in which they came. */
  return { ...(await listen(server)), told: told as readonly (typeof told)[number][] };
}

/** Lets a server listen on a port of loopback that is free. */
export async function listen(server: Server): Promise<{ url: string; close(): Promise<void> }> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}
