import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { createError } from "../../lib/error.ts";

const require = createRequire(import.meta.url);
const SUFFIX = process.platform === "win32" ? ".exe" : "";
const PLATFORM = process.platform === "win32" ? "windows" : process.platform;

/**
 * OpenCode's executable: the one on the PATH, else the one that the npm package `opencode-ai` brings along in a package
 * per platform (its install script is not needed).
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

/** The folder of ripgrep's executable, which OpenCode's search tools need on the PATH. @throws GaiaError */
export function ripgrepFolder(): string {
  const packaged = packageFile(
    `@vscode/ripgrep-${process.platform}-${process.arch}`,
    join("bin", `rg${SUFFIX}`),
  );
  const binary = packaged ?? onPath("rg");
  if (binary === undefined) {
    throw createError("demo", "ripgrep was not found.", {
      hint: "Install ripgrep (rg), for example: npm install -g @vscode/ripgrep",
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

function onPath(program: string): string | undefined {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, program + SUFFIX)).find((path) => existsSync(path));
}
