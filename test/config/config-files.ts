import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { knownAgents } from "../../src/agents/registry.ts";
import type { Clock } from "../../src/lib/async.ts";
import { loadConfig } from "../../src/config/loader.ts";
import type { LoadedConfig } from "../../src/config/resolve.ts";
import { openFolder } from "../support/directory.ts";

export const AGENTS = Object.keys(knownAgents([]));

/** The text or bytes of each source; one that is absent is not written. */
export interface Sources {
  readonly user?: string | Uint8Array;
  readonly project?: string | Uint8Array;
  readonly options?: unknown;
}

/** An empty home and project in a real directory, gone after the test. */
export async function openConfigFiles() {
  const root = await openFolder();
  const [home, project] = [join(root, "home"), join(root, "project")];
  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  };
  const load = async (sources: Sources = {}, clock?: Clock): Promise<LoadedConfig> => {
    if (sources.user !== undefined) await write(join(home, "gaia.jsonc"), sources.user);
    if (sources.project !== undefined) await write(join(project, ".gaia/config.jsonc"), sources.project);
    return loadConfig({
      userConfigDir: home,
      projectDirectory: project,
      pluginOptions: sources.options,
      knownAgents: knownAgents([]),
      // What a project may not set by itself is the affair of src/trust.
      restrain: (_file, written) => written,
      ...(clock ? { clock } : {}),
    });
  };
  return { project, load };
}

/** Loads sources in a fresh home and project. */
export async function loadSources(sources: Sources): Promise<LoadedConfig> {
  return (await openConfigFiles()).load(sources);
}
