import { existsSync } from "node:fs";
import type { TestProject } from "vitest/node";
import { startOpenCode, type OpenCodeServer } from "./opencode.ts";

declare module "vitest" {
  interface ProvidedContext {
    openCodeUrl: string;
    openCodeRoot: string;
  }
}

let server: OpenCodeServer | null = null;

/** One OpenCode server for all scenarios of a run: a start takes seconds, a project of its own takes none. */
export async function setup(project: TestProject): Promise<void> {
  if (process.env["GAIA_PLUGIN"] === undefined && !existsSync("dist/index.js"))
    throw new Error("The plugin is not built. Run: npm run build");
  server = await startOpenCode();
  project.provide("openCodeUrl", server.url);
  project.provide("openCodeRoot", server.root);
}

export async function teardown(): Promise<void> {
  await server?.close();
}
