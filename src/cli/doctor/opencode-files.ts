import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { parseSourceBytes } from "../../config/source-text.ts";
import { systemClock } from "../../lib/clock.ts";
import { isRecord, type JsonRecord, recordOf, textOf } from "../../lib/json.ts";
import { readSource } from "../../lib/read-source.ts";
import {
  bothNames,
  isOwnEntry,
  mergedFolders,
  pathOf,
  pluginPlace,
  readPluginList,
  specOf,
} from "../opencode-files.ts";
import { PACKAGE_NAME, readManifest } from "../own-package.ts";

/** What one file of the user says about one of our agents; OpenCode lets it win over the plugin, key by key. */
export interface Override {
  readonly agent: string;
  readonly file: string;
  /** What is set; `prompt` and others for a markdown file are not told apart. */
  readonly entry: JsonRecord;
}

/**
 * Entries for our agents in every opencode.json(c) that applies, and agents of the same name as markdown files.
 * A file that cannot be read has none: OpenCode itself refuses to start with it, which another check reports.
 * @param names agents of the plugin, custom specialists included
 */
export async function readOverrides(
  directory: string,
  userFolder: string,
  names: readonly string[],
): Promise<Override[]> {
  const folders = mergedFolders(directory, userFolder);
  const files = bothNames(folders, "opencode");
  const found = await Promise.all(files.map(async (file) => overridesOf(file, names)));
  return [...found.flat(), ...folders.flatMap((folder) => markdownAgents(folder, names))];
}

async function overridesOf(file: string, names: readonly string[]): Promise<Override[]> {
  const source = await readSource(file, systemClock);
  if (source.state !== "read") return [];
  const entries = recordOf(recordOf(parseSourceBytes(source.bytes).value)["agent"]);
  return names.flatMap((agent) => {
    const entry = entries[agent];
    return isRecord(entry) && Object.keys(entry).length > 0 ? [{ agent, file, entry }] : [];
  });
}

function markdownAgents(folder: string, names: readonly string[]): Override[] {
  const files = names.flatMap((agent) =>
    ["agent", "agents"].map((kind) => ({
      agent,
      file: join(folder, kind, `${agent}.md`),
      entry: { prompt: "" },
    })),
  );
  return files.filter(({ file }) => existsSync(file));
}

/** Which of the two modules of this package a path leads to, and the file that OpenCode would load. */
interface Face {
  readonly face: "panel" | "plugin";
  readonly target: string;
}

/**
 * What OpenCode loads for a path into this package: the package's folder stands for both modules, a file for itself.
 * @param wanted the export that the configuration file in question asks for
 */
export async function faceOf(path: string, wanted: "./server" | "./tui"): Promise<Face> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  const manifest = isFolder ? await readManifest(path) : null;
  if (manifest === null) return { face: isPanelFile(path) ? "panel" : "plugin", target: path };
  const exported = textOf(recordOf(recordOf(manifest["exports"])[wanted])["import"]);
  return { face: wanted === "./tui" ? "panel" : "plugin", target: join(path, exported ?? ".") };
}

/** Built it is `dist/tui.js`, in the sources `src/tui/index.ts`. */
function isPanelFile(path: string): boolean {
  return basename(path, extname(path)) === "tui" || basename(dirname(path)) === "tui";
}

/** Whether a name asks for a part of the package, as an import would: for OpenCode that is another package. */
export function isPartOfPackage(spec: string): boolean {
  return spec.replace(/^npm:/, "").startsWith(`${PACKAGE_NAME}/`);
}

/** What the user's tui.json files say about the panel; OpenCode itself passes over what is wrong with them in silence. */
export interface PanelFiles {
  readonly broken: readonly BrokenFile[];
  /** Those of the project first, then those for all projects. */
  readonly entries: readonly PanelEntry[];
}

interface BrokenFile {
  readonly what: string;
  readonly fix: string;
}

export interface PanelEntry {
  readonly spec: string;
  readonly file: string;
  /** What OpenCode finds there: the panel, the server plugin, a path that does not exist, or no package; `lost` may mean another's. */
  readonly leadsTo: "panel" | "plugin" | "nowhere" | "lost" | "no package";
  /** The path that the entry stands for; null for a name. */
  readonly path: string | null;
}

/** Reads every tui.json(c) that applies to a project. Never throws. @param environment may name one more file */
export async function readPanelFiles(
  directory: string,
  userFolder: string,
  environment: NodeJS.ProcessEnv,
): Promise<PanelFiles> {
  const named = environment["OPENCODE_TUI_CONFIG"];
  const merged = bothNames(mergedFolders(directory, userFolder), "tui");
  const read = await Promise.all([...merged, ...(named ? [named] : [])].map(readPanelFile));
  return { broken: read.flatMap(({ broken }) => broken), entries: read.flatMap(({ entries }) => entries) };
}

async function readPanelFile(file: string): Promise<PanelFiles> {
  const source = await readSource(file, systemClock);
  if (source.state === "absent") return { broken: [], entries: [] };
  if (source.state === "failed") {
    return { broken: [{ what: `${file}: ${source.message}`, fix: source.suggestion }], entries: [] };
  }
  const list = readPluginList(new TextDecoder().decode(source.bytes));
  if (!list.ok) {
    const what = `${pluginPlace(file, list)}: ${list.problem}`;
    return { broken: [{ what, fix: "Correct it there, then restart OpenCode." }], entries: [] };
  }
  const entries = await Promise.all(list.entries.map(async (entry) => panelEntry(entry, file)));
  return { broken: [], entries: entries.filter((entry) => entry !== null) };
}

/** null for an entry of another plugin. A path to nowhere is ours when it says so. */
async function panelEntry(entry: unknown, file: string): Promise<PanelEntry | null> {
  const spec = specOf(entry);
  if (spec === null) return null;
  if (isPartOfPackage(spec)) return { spec, file, leadsTo: "no package", path: null };
  const path = pathOf(spec, dirname(file));
  const isLost = path !== null && !existsSync(path);
  if (isLost && spec.includes(PACKAGE_NAME)) return { spec, file, leadsTo: "nowhere", path };
  if (isLost) return { spec, file, leadsTo: "lost", path };
  if (!(await isOwnEntry(entry, dirname(file)))) return null;
  if (path === null) return { spec, file, leadsTo: "panel", path };
  const { face, target } = await faceOf(path, "./tui");
  return { spec, file, path: target, leadsTo: existsSync(target) ? face : "nowhere" };
}
