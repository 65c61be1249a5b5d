import { devNull } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { ripgrepFolder } from "./binaries.ts";

/**
 * The environment of an OpenCode that knows nothing of this machine's user: own home, nothing fetched, nothing installed.
 * @param home takes OpenCode's settings, data, cache and temporary files
 * @throws GaiaError when there is no ripgrep
 */
export function hermeticEnvironment(home: string): NodeJS.ProcessEnv {
  return {
    PATH: [ripgrepFolder(), dirname(process.execPath), process.env["PATH"]].join(delimiter),
    HOME: home,
    // OpenCode unpacks libraries there and leaves them behind when it is killed.
    TMPDIR: home,
    XDG_CONFIG_HOME: join(home, ".config"),
    XDG_DATA_HOME: join(home, ".local", "share"),
    XDG_STATE_HOME: join(home, ".local", "state"),
    XDG_CACHE_HOME: join(home, ".cache"),
    OPENCODE_DISABLE_MODELS_FETCH: "1",
    OPENCODE_DISABLE_AUTOUPDATE: "1",
    OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    npm_config_offline: "true",
    GIT_CONFIG_GLOBAL: devNull,
    GIT_CONFIG_NOSYSTEM: "1",
    LANG: "C.UTF-8",
  };
}
