import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { parseSourceBytes } from "../../config/source-text.ts";
import { systemClock } from "../../lib/clock.ts";
import { isRecord, type JsonRecord, recordOf, textOf } from "../../lib/json.ts";
import { readSource } from "../../lib/read-source.ts";
import { nearestName } from "../../lib/nearest-name.ts";
import { bothNames, isOwnEntry, mergedFolders, pathOf, specOf } from "../opencode-files.ts";
import { PACKAGE_NAME, readManifest } from "../own-package.ts";
import type { PluginOrigin } from "./opencode.ts";

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

/** What of opencode.json means this package, and what of that is not where it belongs. */
export async function sortEntries(plugins: readonly PluginOrigin[]) {
  const kinds = await Promise.all(plugins.map(kindOf));
  const ofKind = (kind: string): PluginOrigin[] => plugins.filter((_plugin, index) => kinds[index] === kind);
  return {
    entries: ofKind("plugin"),
    /** Its panel, or a part of it: OpenCode finds no plugin there. */
    misplaced: ofKind("panel"),
    /** Those that lead nowhere, or are called almost like this package. */
    lost: ofKind("lost"),
  };
}

async function kindOf({ entry, source }: PluginOrigin): Promise<"plugin" | "panel" | "lost" | "other"> {
  const spec = specOf(entry) ?? "";
  if (isPartOfPackage(spec)) return "panel";
  const path = pathOf(spec, dirname(source));
  if (!(await isOwnEntry(entry, dirname(source)))) {
    const isLost =
      path === null ? nearestName(spec.replace(/(?<!^)@.*/, ""), [PACKAGE_NAME]) : !existsSync(path);
    return isLost ? "lost" : "other";
  }
  return path === null ? "plugin" : (await faceOf(path, "./server")).face;
}
