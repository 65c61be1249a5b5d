import { existsSync } from "node:fs";
import { systemClock } from "../../lib/clock.ts";
import { readSource } from "../../lib/read-source.ts";
import { openCodeConfigFolder } from "../../lib/user-folders.ts";
import { TOOL_NAMES } from "../../tools/announced.ts";
import {
  bothNames,
  mergedFolders,
  type PluginEntry,
  readPluginEntry,
  readPluginList,
} from "../opencode-files.ts";
import { PACKAGE_NAME } from "../own-package.ts";
import { type Diagnosis, error, ok, warn } from "./finding.ts";
import type { Setup } from "./setup.ts";

const CORRECT = "If GAIA is meant, correct it; npx opencode-gaia init writes a right one.";

/** What is wrong with an entry that does not bring what its file asks for; nothing where it is another's. */
function describeTrouble({ name, path, spec, means }: PluginEntry): Diagnosis | [] {
  if (means === "gone" && spec.includes(PACKAGE_NAME)) return describeUnbuilt({ name, path });
  if (means === "gone") return error(`${name} is a path that does not exist (${path}).`, CORRECT);
  if (means === "misspelt")
    return error(`${name} is no name of this plugin, which is "${PACKAGE_NAME}".`, CORRECT);
  if (means !== "astray") return [];
  return error(
    `${name} is not the plugin, so OpenCode loads nothing from there.`,
    `Write "${PACKAGE_NAME}" or the package's folder in its place: it is the same in opencode.json and, for the panel, in tui.json.`,
  );
}

function describeUnbuilt({ name, path }: Pick<PluginEntry, "name" | "path">): Diagnosis {
  return error(
    `It cannot be loaded as ${name}: ${path} does not exist.`,
    "Correct the entry, or build the package there (npm run build).",
  );
}

/** Whether opencode.json lists the plugin, once. OpenCode itself drops repeated names, so what is left is loaded. */
export function checkListed({ merged, listed, entries }: Setup): Diagnosis[] {
  if (merged === null || "problem" in merged) return [];
  const [first, ...more] = entries;
  // Someone else's lost entry is none of our business while ours is there.
  const isMeant = ({ means }: PluginEntry): boolean => means === "astray" || first === undefined;
  const troubles = listed.filter(isMeant).flatMap(describeTrouble);
  if (first === undefined) {
    const none = "No opencode.json that applies here lists opencode-gaia.";
    return troubles.length > 0 ? troubles : [error(none, "Run: npx opencode-gaia init")];
  }
  if (more.length === 0) return [...troubles, ok(`Listed as ${first.name}.`)];
  const names = entries.map(({ name }) => name).join("; ");
  const twice = `Listed ${entries.length} times, and OpenCode loads each: ${names}. GAIA's hooks would run more than once.`;
  return [...troubles, error(twice, keepOne(more))];
}

function keepOne(more: readonly PluginEntry[]): string {
  return `Keep one. Take it out of ${more.map(({ file }) => file).join(" and ")}.`;
}

export function checkLoaded({ merged, entries: [entry] }: Setup): Diagnosis | Diagnosis[] {
  if (merged === null) return [];
  if ("problem" in merged) {
    return error(
      `OpenCode could not be started here. ${merged.problem}`,
      "Correct the file that it names, or run it by hand to see more: opencode debug config --print-logs.",
    );
  }
  const loaded = TOOL_NAMES.every((name) => merged.value.permission[name] !== undefined);
  if (loaded) return ok("OpenCode was started and loads it.");
  return entry === undefined ? [] : error("OpenCode was started and did not load it.", howToLoad(entry));
}

function howToLoad({ spec, path, file }: PluginEntry): string {
  if (path === null)
    return `OpenCode installs "${spec}" from the npm registry at its start. As long as ${PACKAGE_NAME} is not there, list the folder of your copy: opencode-gaia init writes it.`;
  if (existsSync(path))
    return `Look into ${path}: is it built (npm run build)? OpenCode's log says why it failed.`;
  return `${path} does not exist: build it (npm run build), or correct the entry in ${file}.`;
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
  const good = read.filter(
    (each) => "means" in each && each.means === "ours" && (each.path === null || existsSync(each.path)),
  ) as PluginEntry[];
  const troubles = read.flatMap((each) => {
    if ("level" in each) return each;
    if (each.means === "misspelt" || good.includes(each)) return [];
    // Where the panel is there, a path to nowhere is another's.
    if (each.means === "gone" && good.length > 0 && !each.spec.includes(PACKAGE_NAME)) return [];
    return each.means === "ours" ? describeUnbuilt(each) : describeTrouble(each);
  });
  // The same entry in two files is one to OpenCode, and how it is meant: for all projects, and for this one.
  const [first, ...more] = good.filter(
    ({ file, path }, index) =>
      !good.slice(0, index).some((other) => other.file !== file && other.path === path),
  );
  if (first !== undefined && more.length === 0)
    return [...troubles, ok(`The panel is listed as ${first.name}.`)];
  if (first !== undefined) {
    const names = [first, ...more].map(({ name }) => name).join("; ");
    const twice = `The panel is listed ${more.length + 1} times, and OpenCode takes one of them: ${names}.`;
    return [...troubles, warn(twice, keepOne(more))];
  }
  // Without the plugin there is nothing to show; that is another check's finding.
  if (troubles.length > 0 || entries.length === 0) return troubles;
  const none = "No tui.json that applies here lists the panel, which is optional.";
  return [ok(none, "To have it: npx opencode-gaia init")];
}

async function readPanelFile(file: string): Promise<(PluginEntry | Diagnosis)[]> {
  const broken = (what: string, fix: string): Diagnosis[] => [
    error(`${what}. OpenCode passes over the whole file, without a word.`, fix),
  ];
  const source = await readSource(file, systemClock);
  if (source.state === "absent") return [];
  if (source.state === "failed") return broken(`${file}: ${source.message}`, source.suggestion);
  const list = readPluginList(new TextDecoder().decode(source.bytes));
  if (list.problem !== undefined)
    return broken(`${file}${list.problem}`, "Correct it there, then restart OpenCode.");
  return Promise.all(list.entries.map(async (entry) => readPluginEntry(entry, file)));
}
