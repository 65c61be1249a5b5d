import { join, relative } from "node:path";
import { systemClock, type Clock } from "../lib/async.ts";
import { readSource } from "../lib/read-source.ts";
import { defaultConfig } from "./defaults.ts";
import type { JsonObject } from "./json-value.ts";
import { traceSources } from "./layers.ts";
import type { LoadedConfig, Restrain, KeySource } from "./resolve.ts";
import type { KnownAgents } from "./roles.ts";
import type { ResolvedConfig } from "./schema.ts";

export interface ConfigLocation {
  /** OpenCode's configuration directory of the user, for example `~/.config/opencode`. */
  readonly userConfigDir: string;
  readonly projectDirectory: string;
  /** The second element of the plugin's entry in opencode.json; undefined when it has none. */
  readonly pluginOptions?: unknown;
  /** Whether the plugin options stand in a file of the user's own; by default they count as the project's. */
  readonly areUsersOptions?: boolean;
  readonly knownAgents: KnownAgents;
  readonly restrain: Restrain;
  /** Bounds the reading of files; the system's clock unless a test brings its own. */
  readonly clock?: Clock;
}

/**
 * Loads the user's file, the project's file and the plugin options, later ones winning key by key (SPEC 7).
 * Reads those files and nothing else, each within 2 s. Never throws: what cannot be used is a problem, the rest applies.
 */
export async function loadConfig(location: ConfigLocation): Promise<LoadedConfig> {
  const { userConfigDir, projectDirectory, pluginOptions, knownAgents, clock = systemClock } = location;
  const isProjects = location.areUsersOptions !== true;
  const user = ["gaia.jsonc", "gaia.json"].map((name) => join(userConfigDir, name));
  const project = [".gaia/config.jsonc", ".gaia/config.json"].map((name) => join(projectDirectory, name));
  const files = await Promise.all([
    readFirst("user file", user, clock),
    readFirst("project file", project, clock, projectDirectory),
  ]);
  const sources = files.filter((source) => source !== undefined);
  if (sources.length > 0 || pluginOptions !== undefined) {
    // The schema and the parser are for those who have written something.
    const { optionsSource, resolveSources } = await import("./resolve.ts");
    if (pluginOptions !== undefined) sources.push(optionsSource(pluginOptions, isProjects));
    return resolveSources(sources, knownAgents, location.restrain);
  }
  const config: ResolvedConfig = defaultConfig();
  return {
    config,
    wanted: config,
    problems: [],
    get provenance() {
      return traceSources(config as JsonObject, []);
    },
  };
}

/**
 * The first file that is there; one that is there but unreadable is not passed over for the next.
 * @param base problems name the file relative to it; without one by its whole path
 */
async function readFirst(
  source: "user file" | "project file",
  paths: readonly string[],
  clock: Clock,
  base?: string,
): Promise<KeySource | undefined> {
  const contents = await Promise.all(paths.map(async (path) => readSource(path, clock)));
  for (const [index, path] of paths.entries()) {
    const content = contents[index];
    if (content === undefined || content.state === "absent") continue;
    const file = base === undefined ? path : relative(base, path);
    return { source, file, isProjects: base !== undefined, content };
  }
  return undefined;
}
