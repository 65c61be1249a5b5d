import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
/** How long npm may take for one installation, in milliseconds. */
const LIMIT_MS = 180_000;

/**
 * Installs a package from the registry into a folder of its own; install scripts never run, as in OpenCode.
 * @returns why it could not be installed, in npm's words, or null
 */
export async function installFromNpm(folder: string, spec: string): Promise<string | null> {
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}/package.json`, '{ "private": true }');
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    await run("npm", [...args, "--prefix", folder, spec], { timeout: LIMIT_MS });
    return null;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr?.trim() || message).split("\n")[0] ?? "npm failed";
  }
}
