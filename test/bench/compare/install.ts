import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { recordOf, textOf } from "../../../src/lib/json.ts";
import { type Contender, type Installed, NATIVE, PEERS } from "./contenders.ts";
import { GAIA } from "./gaia.ts";

const run = promisify(execFile);
/** How long npm may take for one installation, in milliseconds. */
const LIMIT_MS = 180_000;
const NOTHING = { version: "", ownBytes: 0, allBytes: 0 };

/**
 * Installs what is compared: this package from its own tarball (built before), the others from npm.
 * @param tell is given a word for each that cannot be had; the comparison goes on without it
 * @param withPeers false: this package alone
 */
export async function installContenders(
  root: string,
  tell: (word: string) => void,
  withPeers: boolean,
): Promise<Installed[]> {
  const { stdout } = await run("npm", ["pack", "--ignore-scripts", "--json", "--pack-destination", root]);
  const tarball = join(root, textOf(recordOf((JSON.parse(stdout) as unknown[])[0])["filename"]) ?? "");
  const version = await versionIn(resolve("node_modules/opencode-ai"));
  const installed: Installed[] = [{ ...NATIVE, ...NOTHING, plugin: null, version }];
  const install = async (contender: Contender, name: string, spec: string): Promise<void> => {
    const folder = join(root, "installed", name);
    const trouble = await installFromNpm(folder, spec);
    if (trouble !== null) return tell(`${name} is left out, it could not be installed: ${trouble}`);
    const plugin = join(folder, "node_modules", name);
    const sizes = { ownBytes: await bytesIn(plugin), allBytes: await bytesIn(join(folder, "node_modules")) };
    installed.push({ ...contender, ...sizes, plugin, version: await versionIn(plugin) });
  };
  await install(GAIA, GAIA.name, tarball);
  for (const peer of withPeers ? PEERS : []) await install(peer, peer.name, peer.name);
  return installed;
}

/** Native OpenCode with a plugin that does nothing: what loading any plugin costs. */
export async function writeIdlePlugin(root: string): Promise<Installed> {
  const plugin = join(root, "idle", "index.js");
  await mkdir(join(root, "idle"));
  await writeFile(plugin, 'export default { id: "idle", server: async () => ({}) };\n');
  return { ...NATIVE, ...NOTHING, name: "a plugin that does nothing", plugin };
}

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

async function versionIn(folder: string): Promise<string> {
  const manifest = recordOf(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  return textOf(manifest["version"]) ?? "";
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const stats = await Promise.all(files.map(async (file) => stat(join(file.parentPath, file.name))));
  return stats.reduce((sum, { size }) => sum + size, 0);
}
