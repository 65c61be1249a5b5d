import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { systemClock } from "../../lib/clock.ts";
import { readSource } from "../../lib/read-source.ts";
import { openCodeConfigFolder } from "../../lib/user-folders.ts";
import { TOOL_NAMES } from "../../tools/announced.ts";
import {
  bothNames,
  isOwnEntry,
  mergedFolders,
  pathOf,
  pluginPlace,
  readPluginList,
  specOf,
} from "../opencode-files.ts";
import { PACKAGE_NAME } from "../own-package.ts";
import { type Diagnosis, error, ok, warn } from "./finding.ts";
import type { PluginOrigin } from "./opencode.ts";
import { faceOf, isPartOfPackage } from "./opencode-files.ts";
import type { Setup } from "./setup.ts";

/** Whether opencode.json lists the plugin, once. OpenCode itself drops repeated names, so what is left is loaded. */
export function checkListed({ merged, entries, misplaced, lost }: Setup): Diagnosis[] {
  if (merged.state !== "read") return [];
  // Someone else's lost entry is none of our business while ours is there.
  const ours = entries.length === 0 ? lost.map(describeLost) : [];
  return [
    ...misplaced.map(describeMisplaced),
    ...ours,
    describeListed(entries, misplaced.length + ours.length > 0),
  ].flat();
}

function describeLost(origin: PluginOrigin): Diagnosis {
  const path = pathOf(specOf(origin.entry) ?? "", dirname(origin.source));
  const what =
    path === null
      ? `no name of this plugin, which is "${PACKAGE_NAME}"`
      : `a path that does not exist (${path})`;
  return error(
    `${describe(origin)} is ${what}.`,
    "If GAIA is meant, correct it; npx opencode-gaia init writes a right one.",
  );
}

function describeMisplaced(origin: PluginOrigin): Diagnosis {
  return error(
    `${describe(origin)} is not the plugin, so OpenCode cannot load it from there.`,
    `Write "${PACKAGE_NAME}" or the package's folder in its place. The panel is listed in tui.json, in the same way.`,
  );
}

function describeListed(entries: readonly PluginOrigin[], isMisplaced: boolean): Diagnosis | [] {
  const [first, ...more] = entries;
  if (first === undefined) {
    if (isMisplaced) return [];
    return error("No opencode.json that applies here lists opencode-gaia.", "Run: npx opencode-gaia init");
  }
  if (more.length === 0) return ok(`Listed as ${describe(first)}.`);
  return error(
    `Listed ${entries.length} times, and OpenCode loads each: ${entries.map(describe).join("; ")}. GAIA's hooks would run more than once.`,
    `Keep one. Take it out of ${more.map(({ source }) => source).join(" and ")}.`,
  );
}

export function checkLoaded({ merged, entries }: Setup): Diagnosis | Diagnosis[] {
  if (merged.state === "skipped") return [];
  if (merged.state === "failed") {
    return error(
      `OpenCode could not be started here. ${merged.message}`,
      "Correct the file that it names, or run it by hand to see more: opencode debug config --print-logs. If it is only slow: --timeout 90.",
    );
  }
  const loaded = TOOL_NAMES.every((name) => merged.value.permission[name] !== undefined);
  if (loaded) return ok("OpenCode was started and loads it.");
  const [entry] = entries;
  return entry === undefined ? [] : error("OpenCode was started and did not load it.", howToLoad(entry));
}

function howToLoad({ entry, source }: PluginOrigin): string {
  const spec = specOf(entry) ?? "";
  const path = pathOf(spec, dirname(source));
  if (path !== null && !existsSync(path)) return `${path} does not exist: correct the entry in ${source}.`;
  if (path !== null)
    return `Look into ${path}: is it built (npm run build)? OpenCode's log says why it failed.`;
  return `OpenCode installs "${spec}" from the npm registry at its start. As long as ${PACKAGE_NAME} is not there, list the folder of your copy: opencode-gaia init writes it.`;
}

function describe({ entry, source }: PluginOrigin): string {
  return `"${specOf(entry) ?? ""}" in ${source}`;
}

/** An entry of a tui.json that means this package, or may. */
interface PanelEntry {
  /** The entry and its file, as findings name it. */
  readonly name: string;
  readonly file: string;
  /** What OpenCode finds there: the panel, the server plugin, a path that does not exist, or no package; `lost` may mean another's. */
  readonly leadsTo: "panel" | "plugin" | "nowhere" | "lost" | "no package";
  /** The path that the entry stands for; null for a name. */
  readonly path: string | null;
}

/**
 * Whether a tui.json that applies here brings the panel. It is optional, so only what someone wrote down and does not get
 * is an error; OpenCode itself passes over it in silence.
 */
export async function checkPanel({ directory, environment, entries }: Setup): Promise<Diagnosis[]> {
  const folders = mergedFolders(directory, openCodeConfigFolder(environment));
  const named = environment["OPENCODE_TUI_CONFIG"];
  const files = [...bothNames(folders, "tui"), ...(named ? [named] : [])];
  const read = (await Promise.all(files.map(readPanelFile))).flat();
  const panel = read.filter((each) => "leadsTo" in each);
  const good = panel.filter(({ leadsTo }) => leadsTo === "panel");
  // Where the panel is there, a path to nowhere is another's.
  const own = panel.filter(({ leadsTo }) => leadsTo !== "lost" || good.length === 0);
  const troubles = [...read.filter((each) => "level" in each), ...own.flatMap(describePanelTrouble)];
  if (good.length > 0) return [...troubles, describePanel(withoutRepeated(good))];
  // Without the plugin there is nothing to show; that is another check's finding.
  if (troubles.length > 0 || entries.length === 0) return troubles;
  return [
    ok(
      "No tui.json that applies here lists the panel, which is optional.",
      "To have it: npx opencode-gaia init",
    ),
  ];
}

async function readPanelFile(file: string): Promise<(PanelEntry | Diagnosis)[]> {
  const broken = (what: string, fix: string): Diagnosis[] => [
    error(`${what}. OpenCode passes over the whole file, without a word.`, fix),
  ];
  const source = await readSource(file, systemClock);
  if (source.state === "absent") return [];
  if (source.state === "failed") return broken(`${file}: ${source.message}`, source.suggestion);
  const list = readPluginList(new TextDecoder().decode(source.bytes));
  if (!list.ok)
    return broken(`${pluginPlace(file, list)}: ${list.problem}`, "Correct it there, then restart OpenCode.");
  const found = await Promise.all(list.entries.map(async (entry) => panelEntry(entry, file)));
  return found.filter((entry) => entry !== null);
}

/** null for an entry of another plugin. A path to nowhere is ours when it says so. */
async function panelEntry(entry: unknown, file: string): Promise<PanelEntry | null> {
  const spec = specOf(entry);
  if (spec === null) return null;
  const name = `"${spec}" in ${file}`;
  if (isPartOfPackage(spec)) return { name, file, leadsTo: "no package", path: null };
  const path = pathOf(spec, dirname(file));
  if (path !== null && !existsSync(path))
    return { name, file, leadsTo: spec.includes(PACKAGE_NAME) ? "nowhere" : "lost", path };
  if (!(await isOwnEntry(entry, dirname(file)))) return null;
  if (path === null) return { name, file, leadsTo: "panel", path };
  const { face, target } = await faceOf(path, "./tui");
  return { name, file, path: target, leadsTo: existsSync(target) ? face : "nowhere" };
}

function describePanel(all: readonly PanelEntry[]): Diagnosis {
  const [first, ...more] = all;
  if (more.length === 0) return ok(`The panel is listed as ${first?.name}.`);
  return warn(
    `The panel is listed ${all.length} times, and OpenCode takes one of them: ${all.map(({ name }) => name).join("; ")}.`,
    `Keep one. Take it out of ${more.map(({ file }) => file).join(" and ")}.`,
  );
}

/** The same entry in two files is one to OpenCode, and how it is meant: for all projects, and for this one. */
function withoutRepeated(entries: readonly PanelEntry[]): PanelEntry[] {
  return entries.filter(
    ({ file, path }, index) =>
      !entries.slice(0, index).some((other) => other.file !== file && other.path === path),
  );
}

function describePanelTrouble({ name, path, leadsTo }: PanelEntry): Diagnosis | [] {
  switch (leadsTo) {
    case "panel":
      return [];
    case "nowhere":
      return error(
        `The panel cannot be loaded as ${name}: ${path} does not exist.`,
        "Correct the entry, or build the package there (npm run build).",
      );
    case "lost":
      return error(
        `${name} is a path that does not exist (${path}).`,
        "If GAIA's panel is meant, correct it; npx opencode-gaia init writes a right one.",
      );
    case "plugin":
      return error(
        `${name} is the plugin itself, which belongs into opencode.json; OpenCode shows no panel.`,
        `List the package there instead: its folder, or "${PACKAGE_NAME}".`,
      );
    case "no package":
      return error(
        `${name} is not the name of a package.`,
        `Write "${PACKAGE_NAME}": it is the same in both files.`,
      );
  }
}
