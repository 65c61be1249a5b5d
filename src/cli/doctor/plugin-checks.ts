import { existsSync } from "node:fs";
import { dirname } from "node:path";
import { TOOL_NAMES } from "../../tools/announced.ts";
import { PACKAGE_NAME } from "../own-package.ts";
import { pathOf, specOf } from "../opencode-files.ts";
import { type Diagnosis, error, ok } from "./finding.ts";
import type { PluginOrigin } from "./opencode.ts";
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

/** Whether a real start of OpenCode registered what the plugin registers. */
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
