import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { readSource } from "../../lib/read-source.ts";
import { bothNames, mergedFolders } from "../merged-folders.ts";
import { PACKAGE_NAME } from "../own-package.ts";
import { placeOf, readPluginList } from "../plugin-list.ts";
import { isOwnEntry, pathOf, specOf } from "../plugin-spec.ts";
import { faceOf, isPartOfPackage } from "./package-face.ts";

/** What the user's tui.json files say about the panel; OpenCode itself passes over what is wrong with them in silence. */
export interface PanelFiles {
  readonly broken: readonly BrokenFile[];
  /** Those of the project first, then those for all projects. */
  readonly entries: readonly PanelEntry[];
}

interface BrokenFile {
  /** The file and what is wrong with it. */
  readonly what: string;
  readonly fix: string;
}

/** An entry of a tui.json that means this package. */
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
    const what = `${placeOf(file, list)}: ${list.problem}`;
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
