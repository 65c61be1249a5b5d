import { existsSync } from "node:fs";
import { join } from "node:path";
import { parseSourceBytes } from "../../config/source-text.ts";
import { systemClock } from "../../lib/clock.ts";
import { isRecord, type JsonRecord, recordOf } from "../../lib/json.ts";
import { readSource } from "../../lib/read-source.ts";
import { bothNames, mergedFolders } from "../opencode-files.ts";

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
  const all = names.flatMap((agent) =>
    ["agent", "agents"].map((kind) => ({ agent, file: join(folder, kind, `${agent}.md`) })),
  );
  return all.filter(({ file }) => existsSync(file)).map((each) => ({ ...each, entry: { prompt: "" } }));
}
