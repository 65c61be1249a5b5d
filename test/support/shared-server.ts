import { inject } from "vitest";
import { SERVERS, type SharedServer } from "./servers.ts";

/** The OpenCode server of this worker. */
export function sharedServer(): SharedServer {
  const worker = Number(process.env["VITEST_POOL_ID"] ?? 1);
  const server = inject("openCodeServers")[worker % SERVERS];
  if (server === undefined) throw new Error(`No OpenCode server was started for worker ${worker}.`);
  return server;
}
