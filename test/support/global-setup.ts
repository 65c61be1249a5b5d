import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { startOpenCode, type OpenCodeServer } from "./opencode.ts";
import { SERVERS } from "./servers.ts";

let servers: OpenCodeServer[] = [];

/** An OpenCode server per worker for all its scenarios: a start takes seconds, a project of its own takes none. */
export async function setup(project: TestProject): Promise<void> {
  if (process.env["GAIA_PLUGIN"] === undefined && !existsSync("dist/index.js"))
    throw new Error("The plugin is not built. Run: npm run build");
  servers = await Promise.all(Array.from({ length: SERVERS }, async () => startOpenCode()));
  project.provide(
    "openCodeServers",
    servers.map(({ url, root }) => ({ url, root })),
  );
}

export async function teardown(): Promise<void> {
  await Promise.all(servers.map(async (server) => server.close()));
}
