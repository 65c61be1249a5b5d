import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";

const BASES = {
  config: ["XDG_CONFIG_HOME", ".config"],
  data: ["XDG_DATA_HOME", ".local/share"],
  state: ["XDG_STATE_HOME", ".local/state"],
  cache: ["XDG_CACHE_HOME", ".cache"],
} as const;

type Environment = Readonly<Record<string, string | undefined>>;

export type UserFolder = keyof typeof BASES;

export const USER_FOLDERS = Object.keys(BASES) as readonly UserFolder[];

/**
 * The user's folder of a kind, where OpenCode has it on every platform (XDG Base Directory). An empty or relative value of
 * the environment is ignored, as the specification wants it: it would lie in whatever project is open.
 */
export function userFolder(kind: UserFolder, environment: Environment, home: string = homedir()): string {
  const [variable, usual] = BASES[kind];
  const configured = environment[variable] ?? "";
  return isAbsolute(configured) ? configured : join(home, usual);
}

/** OpenCode's own configuration of the user. */
export function openCodeConfigFolder(environment: Environment, home?: string): string {
  return join(userFolder("config", environment, home), "opencode");
}

/** What this plugin can make again. */
export function ownCacheFolder(environment: Environment, home?: string): string {
  return join(userFolder("cache", environment, home), "opencode-gaia");
}

/** Where this plugin keeps what belongs to the user and to no project. */
export function ownDataFolder(environment: Environment, home?: string): string {
  return join(userFolder("data", environment, home), "opencode-gaia");
}
