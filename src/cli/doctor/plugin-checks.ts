import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { TOOL_NAMES } from "../../tools/announced.ts";
import { PACKAGE_NAME } from "../own-package.ts";
import { pathOf, specOf } from "../opencode-files.ts";
import { type Diagnosis, error, type Facts, ok, warn } from "./facts.ts";
import type { PluginOrigin } from "./opencode.ts";
import type { PanelEntry } from "./opencode-files.ts";

/** Whether opencode.json lists the plugin, once. OpenCode itself drops repeated names, so what is left is loaded. */
export function checkListed({ merged, entries, misplaced, lost }: Facts): Diagnosis[] {
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

export function checkLoaded({ merged, entries }: Facts): Diagnosis | Diagnosis[] {
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

/** Whether tui.json brings the panel. It is optional, so only what someone wrote down and does not get is an error. */
export function checkPanel({ panel, entries }: Facts): Diagnosis | Diagnosis[] {
  const broken = panel.broken.map(({ what, fix }) =>
    error(`${what}. OpenCode passes over the whole file, without a word.`, fix),
  );
  const good = panel.entries.filter(({ leadsTo }) => leadsTo === "panel");
  // Where the panel is there, a path to nowhere is another's.
  const own = panel.entries.filter(({ leadsTo }) => leadsTo !== "lost" || good.length === 0);
  const troubles = [...broken, ...own.flatMap(describeTrouble)];
  const [first] = good;
  if (first !== undefined) return [...troubles, describePanel(first, withoutRepeated(good))];
  // Without the plugin there is nothing to show; that is another check's finding.
  if (troubles.length > 0 || entries.length === 0) return troubles;
  return ok(
    "No tui.json that applies here lists the panel, which is optional.",
    "To have it: npx opencode-gaia init",
  );
}

function describePanel(first: PanelEntry, all: readonly PanelEntry[]): Diagnosis {
  if (all.length < 2) return ok(`The panel is listed as ${describePanelEntry(first)}.`);
  const [, ...more] = all;
  return warn(
    `The panel is listed ${all.length} times, and OpenCode takes one of them: ${all.map(describePanelEntry).join("; ")}.`,
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

function describeTrouble(entry: PanelEntry): Diagnosis | [] {
  const what = describePanelEntry(entry);
  switch (entry.leadsTo) {
    case "panel":
      return [];
    case "nowhere":
      return error(
        `The panel cannot be loaded as ${what}: ${entry.path} does not exist.`,
        "Correct the entry, or build the package there (npm run build).",
      );
    case "lost":
      return error(
        `${what} is a path that does not exist (${entry.path}).`,
        "If GAIA's panel is meant, correct it; npx opencode-gaia init writes a right one.",
      );
    case "plugin":
      return error(
        `${what} is the plugin itself, which belongs into opencode.json; OpenCode shows no panel.`,
        `List the package there instead: its folder, or "${PACKAGE_NAME}".`,
      );
    case "no package":
      return error(
        `${what} is not the name of a package.`,
        `Write "${PACKAGE_NAME}": it is the same in both files.`,
      );
  }
}

function describePanelEntry({ spec, file }: PanelEntry): string {
  return `"${spec}" in ${file}`;
}
