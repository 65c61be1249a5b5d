import { isRecord, listOf, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import { SERVERS, type ServerEntry } from "./servers.ts";

/** A server that the user has configured in OpenCode. */
export interface ConfiguredServer {
  readonly entry: ServerEntry;
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly initialization?: unknown;
}

/**
 * The servers in `lsp` of OpenCode's configuration. One that is called like a language or a program of the table, and names
 * no endings of its own, is for what the table says.
 * @param settings the strongest last
 */
export function readConfigured(settings: readonly JsonRecord[]): ConfiguredServer[] {
  const merged = Object.assign({}, ...settings.map(({ lsp }) => recordOf(lsp))) as JsonRecord;
  return Object.entries(merged).flatMap(([name, given]) => {
    const { disabled, command: words, extensions, env, initialization } = recordOf(given);
    const command = listOf(words).flatMap((word) => textOf(word) ?? []);
    const known = SERVERS.find((entry) => isCalled(entry, name, command[0] ?? ""));
    const endings = listOf(extensions).flatMap(
      (each) => textOf(each)?.replace(/^\./, "").toLowerCase() ?? [],
    );
    if (disabled === true || command.length === 0 || (known === undefined && endings.length === 0)) return [];
    const ids = new Map(endings.map((ending) => [ending, idOf(ending)]));
    const entry: ServerEntry = {
      language: known?.language ?? name,
      languageIds: endings.length === 0 ? (known?.languageIds ?? ids) : ids,
      roots: known?.roots ?? [],
      commands: [command],
      install: `its program is named under lsp.${name} of your opencode.json`,
    };
    const environment = Object.fromEntries(
      Object.entries(recordOf(env)).flatMap(([key, value]) =>
        typeof value === "string" ? [[key, value]] : [],
      ),
    );
    return [{ entry, command, environment, ...(isRecord(initialization) ? { initialization } : {}) }];
  });
}

function isCalled({ language, commands }: ServerEntry, name: string, program: string): boolean {
  const programs = new Set(commands.map(([each = ""]) => each));
  const called = program.split(/[/\\]/).at(-1) ?? "";
  return language === name || programs.has(name) || programs.has(called);
}

function idOf(ending: string): string {
  return SERVERS.find(({ languageIds }) => languageIds.has(ending))?.languageIds.get(ending) ?? ending;
}
