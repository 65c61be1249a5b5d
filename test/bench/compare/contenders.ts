import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { recordOf, textOf } from "../../../src/lib/json.ts";
import type { Turn } from "../../../src/scripted-model/turn.ts";
import { GAIA } from "./gaia.ts";
import { NATIVE } from "./native.ts";
import { installFromNpm } from "./npm-folder.ts";
import { PEERS } from "./peers.ts";

/** What a delegation is for. */
export type Job = "read" | "write" | "check" | "record";

/** Who is done. */
export interface Who {
  /** As the scripted model tells them apart. */
  readonly agent: string;
  /** Whether they have run the check themselves. */
  readonly hasChecked: boolean;
}

/** One way of working that is compared, in its author's own agents and tools. */
export interface Contender {
  readonly name: string;
  /** The npm package; null for OpenCode alone. */
  readonly package: string | null;
  /** Whom the user speaks to. */
  readonly orchestrator: string;
  /** How it hands a job over. `number` makes two calls differ, and chooses among agents of the same job. */
  delegate(job: Job, prompt: string, number: number): Turn;
  /** How an agent of this job says that it is done. */
  finish(job: Job, summary: string, who: Who): Turn;
  /** Its orchestrator's turns for the feature over so many files. */
  feature(count: number, directory: string): Turn[];
  /** The same for one obvious edit: itself, where it may edit. */
  quickFix(directory: string): Turn[];
  /** The feature where subagents look and write: what these send first is taken from it. */
  byHand(count: number): Turn[];
  /** Other ways to work with the same package, each in a row of its own. */
  readonly also?: readonly Contender[];
}

/** A contender as it is installed. */
export interface Installed extends Contender {
  readonly version: string;
  /** The entry of opencode.json; null for none. */
  readonly plugin: string | null;
  /** Bytes on disk of the package itself and with everything that npm installs along with it. */
  readonly ownBytes: number;
  readonly allBytes: number;
}

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
  const { stdout } = await promisify(execFile)("npm", [
    "pack",
    "--ignore-scripts",
    "--json",
    "--pack-destination",
    root,
  ]);
  const tarball = join(root, textOf(recordOf((JSON.parse(stdout) as unknown[])[0])["filename"]) ?? "");
  const installed: Installed[] = [
    {
      ...NATIVE,
      plugin: null,
      version: await versionIn(resolve("node_modules/opencode-ai")),
      ownBytes: 0,
      allBytes: 0,
    },
  ];
  for (const contender of [GAIA, ...(withPeers ? PEERS : [])]) {
    const name = contender.package ?? "";
    const folder = join(root, "installed", name);
    const trouble = await installFromNpm(folder, contender === GAIA ? tarball : name);
    if (trouble !== null) {
      tell(`${name} is left out, it could not be installed: ${trouble}`);
      continue;
    }
    const plugin = join(folder, "node_modules", name);
    installed.push({
      ...contender,
      plugin,
      version: await versionIn(plugin),
      ownBytes: await bytesIn(plugin),
      allBytes: await bytesIn(join(folder, "node_modules")),
    });
  }
  return installed;
}

/** Native OpenCode with a plugin that does nothing: what loading any plugin costs. */
export async function writeIdlePlugin(root: string): Promise<Installed> {
  const plugin = join(root, "idle", "index.js");
  await mkdir(join(root, "idle"));
  await writeFile(plugin, 'export default { id: "idle", server: async () => ({}) };\n');
  return { ...NATIVE, name: "a plugin that does nothing", plugin, version: "", ownBytes: 0, allBytes: 0 };
}

async function versionIn(folder: string): Promise<string> {
  const manifest = recordOf(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  return textOf(manifest["version"]) ?? "";
}

async function bytesIn(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(
    files.map(async (file) => (await stat(join(file.parentPath, file.name))).size),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
