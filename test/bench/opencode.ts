import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hermeticEnvironment } from "../../src/cli/demo/environment.ts";
import { startOpenCodeProcess } from "../support/opencode-server.ts";

/** Works in a folder that is gone afterwards. @param name of the folder: as many bytes are sent in each request */
export async function inFolder<T>(work: (root: string) => Promise<T>, name = "bench"): Promise<T> {
  const root = await realpath(await mkdtemp(join(tmpdir(), `gaia-${name}-`)));
  try {
    return await work(root);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Works with an OpenCode that has a home of its own. */
export async function inOpenCode<T>(
  root: string,
  work: (server: { url: string; root: string }) => Promise<T>,
  { variables = {} }: { variables?: NodeJS.ProcessEnv } = {},
): Promise<T> {
  const home = join(root, "home");
  const environment = { ...hermeticEnvironment(home), ...variables };
  const server = await startOpenCodeProcess({ environment, cwd: home });
  try {
    return await work({ url: server.url, root });
  } finally {
    await server.kill();
  }
}
