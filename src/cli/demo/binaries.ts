import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { createError } from "../../lib/error.ts";

const require = createRequire(import.meta.url);
const SUFFIX = process.platform === "win32" ? ".exe" : "";
const PLATFORM = process.platform === "win32" ? "windows" : process.platform;

/**
 * OpenCode's executable: the one that the npm package `opencode-ai` brings along in a package per platform (its install
 * script is not needed), else the one on the PATH.
 * @throws GaiaError when there is none
 */
export function openCodeBinary(): string {
  const packaged = [`opencode-${PLATFORM}-${process.arch}`, `opencode-${PLATFORM}-${process.arch}-baseline`];
  const found = packaged.map((name) => packageFile(name, join("bin", `opencode${SUFFIX}`))).find(Boolean);
  const binary = found ?? onPath("opencode");
  if (binary === undefined) {
    throw createError("demo", "OpenCode was not found.", { hint: "Install it: npm install -g opencode-ai" });
  }
  return binary;
}

/**
 * The folder of ripgrep's executable, which OpenCode's search tools need on the PATH: the npm package's, the PATH's, or
 * the one that the user's OpenCode has fetched for itself.
 * @throws GaiaError when there is none
 */
export function ripgrepFolder(): string {
  const packaged = packageFile(
    `@vscode/ripgrep-${process.platform}-${process.arch}`,
    join("bin", `rg${SUFFIX}`),
  );
  const binary = packaged ?? onPath("rg") ?? fetchedByOpenCode();
  if (binary === undefined) {
    throw createError("demo", "ripgrep was not found.", {
      hint: "Install it with the package manager of your system, where it is called ripgrep.",
    });
  }
  return dirname(binary);
}

function packageFile(name: string, file: string): string | undefined {
  try {
    const path = join(dirname(require.resolve(`${name}/package.json`)), file);
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined; // Not installed for this platform.
  }
}

function fetchedByOpenCode(): string | undefined {
  const cache = process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache");
  const path = join(cache, "opencode", "bin", `rg${SUFFIX}`);
  return existsSync(path) ? path : undefined;
}

function onPath(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, program + SUFFIX)).find((path) => existsSync(path));
}
