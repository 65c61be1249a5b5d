import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { devNull, tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createError } from "../../lib/error.ts";
import { userFolder } from "../../lib/folders.ts";
import { findProgram } from "../../process/outside-path.ts";

const require = createRequire(import.meta.url);
const SUFFIX = process.platform === "win32" ? ".exe" : "";
const PLATFORM = process.platform === "win32" ? "windows" : process.platform;

/** The first of a program's places: a package per platform of npm's (whose install script is not needed), the PATH, or one more. */
function find(program: string, packages: readonly string[], other = ""): string | null {
  const packaged = packages.map((name) => {
    try {
      return join(dirname(require.resolve(`${name}/package.json`)), "bin", program + SUFFIX);
    } catch {
      return ""; // Not installed for this platform.
    }
  });
  const there = (path: string): boolean => existsSync(path);
  return packaged.find(there) ?? findProgram(program, tmpdir()) ?? [other].find(there) ?? null;
}

/** OpenCode's executable: that of the npm package `opencode-ai`, or the user's. @throws GaiaError when there is none */
export function openCodeBinary(): string {
  const name = `opencode-${PLATFORM}-${process.arch}`;
  const binary = find("opencode", [name, `${name}-baseline`]);
  if (binary !== null) return binary;
  throw createError("demo", "OpenCode was not found.", { hint: "Install it: npm install -g opencode-ai" });
}

/** The folder of ripgrep, which OpenCode's search tools need on the PATH, and which the user's OpenCode may have fetched for itself. */
function ripgrepFolder(): string {
  const fetched = join(userFolder("cache", process.env), "opencode", "bin", `rg${SUFFIX}`);
  const binary = find("rg", [`@vscode/ripgrep-${process.platform}-${process.arch}`], fetched);
  if (binary !== null) return dirname(binary);
  throw createError("demo", "ripgrep was not found.", {
    hint: "Install it with the package manager of your system, where it is called ripgrep.",
  });
}

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
