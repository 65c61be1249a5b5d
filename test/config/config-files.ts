import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { knownAgents } from "../../src/agents/registry.ts";
import type { Clock } from "../../src/lib/async.ts";
import { loadConfig } from "../../src/config/loader.ts";
import type { LoadedConfig } from "../../src/config/resolve.ts";
import { openFolder } from "../support/folder.ts";

export const AGENTS = [
  "gaia",
  "minerva",
  "apollo",
  "eleuthia",
  "hephaestus",
  "demeter",
  "artemis",
  "aether",
  "poseidon",
  "hades",
] as const;

/** The text or bytes of each source; one that is absent is not written. */
export interface Sources {
  readonly user?: string | Uint8Array;
  readonly project?: string | Uint8Array;
  readonly options?: unknown;
}

/** An empty home and project in a real directory, gone after the test. */
export class ConfigFiles {
  readonly home: string;
  readonly project: string;

  private constructor(root: string) {
    this.home = join(root, "home");
    this.project = join(root, "project");
  }

  static async create(): Promise<ConfigFiles> {
    const root = await openFolder();
    return new ConfigFiles(root);
  }

  async write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content);
  }

  async load(sources: Sources = {}, clock?: Clock): Promise<LoadedConfig> {
    const { user, project, options } = sources;
    if (user !== undefined) await this.write(join(this.home, "gaia.jsonc"), user);
    if (project !== undefined) await this.write(join(this.project, ".gaia/config.jsonc"), project);
    return loadConfig({
      userConfigDir: this.home,
      projectDirectory: this.project,
      pluginOptions: options,
      knownAgents: knownAgents([]),
      // What a project may not set by itself is the affair of src/trust.
      restrain: (_file, written) => written,
      ...(clock ? { clock } : {}),
    });
  }
}

/** Loads sources in a fresh home and project. */
export async function loadSources(sources: Sources): Promise<LoadedConfig> {
  return (await ConfigFiles.create()).load(sources);
}
