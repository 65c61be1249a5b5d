import { parse } from "jsonc-parser";
import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { JsonValue } from "../config/json-value.ts";
import type { Clock } from "../lib/async.ts";
import { isRecord, listOf, recordOf, type JsonRecord } from "../lib/json.ts";
import { readSource } from "../lib/read-source.ts";
import { openCodeConfigFolder } from "../lib/folders.ts";
import { isSamePower } from "./power.ts";

/**
 * Whether the plugin options of this start stand in one of the user's own configuration files of OpenCode. OpenCode hands
 * them over without their origin, and a project's opencode.json can hold some as well. What cannot be told is the project's.
 */
export async function areUsersOptions(
  options: unknown,
  clock: Clock,
  environment: NodeJS.ProcessEnv = process.env,
  home: string = homedir(),
): Promise<boolean> {
  return (await usersSettings(clock, environment, home)).some((settings) => hasOptions(settings, options));
}

/** What the user's own configuration files of OpenCode say, the strongest last; those that cannot be read say nothing. */
export async function usersSettings(
  clock: Clock,
  environment: NodeJS.ProcessEnv,
  home: string = homedir(),
): Promise<JsonRecord[]> {
  const texts = await Promise.all(
    usersFiles(environment, home).map(async (path) => {
      const file = await readSource(path, clock);
      return file.state === "read" ? Buffer.from(file.bytes).toString("utf8") : "";
    }),
  );
  return [...texts, environment["OPENCODE_CONFIG_CONTENT"] ?? ""]
    .filter((text) => text !== "")
    .map((text) => recordOf(parse(text, [], { allowTrailingComma: true })));
}

/** Where OpenCode 1.18 reads configuration that no project can bring along. */
function usersFiles(environment: NodeJS.ProcessEnv, home: string): string[] {
  const programData = environment["ProgramData"] ?? "C:\\ProgramData";
  const folders = [
    openCodeConfigFolder(environment, home),
    join(home, ".opencode"),
    environment["OPENCODE_CONFIG_DIR"],
    "/etc/opencode",
    "/Library/Application Support/opencode",
    ...(process.platform === "win32" ? [join(programData, "opencode")] : []),
  ].filter((folder) => folder !== undefined);
  const files = folders.flatMap((folder) =>
    ["config.json", "opencode.json", "opencode.jsonc"].map((name) => join(folder, name)),
  );
  // A relative one would be looked for in whatever project is open.
  return [...files, environment["OPENCODE_CONFIG"] ?? ""].filter((path) => isAbsolute(path));
}

function hasOptions({ plugin }: JsonRecord, options: unknown): boolean {
  return listOf(plugin).some((entry) => {
    const [name, own] = listOf(entry);
    return typeof name === "string" && isRecord(own) && isSamePower(own as JsonValue, options as JsonValue);
  });
}
