import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A server on loopback that keeps what it is sent. */
export interface Webhook {
  readonly url: string;
  /** The bodies, in the order in which they came. */
  readonly told: readonly { readonly event: string; readonly text: string }[];
  close(): Promise<void>;
}

/** @param elsewhere where it leads who comes; by default it takes what it is sent */
export async function openWebhook(elsewhere?: string): Promise<Webhook> {
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
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    told,
    async close() {
      await new Promise((done) => server.close(done));
    },
  };
}
