import { stripVTControlCharacters } from "node:util";
import { excerpt } from "../../lib/excerpt.ts";
import { isRecord, parseJson, recordOf, textOf, type JsonRecord } from "../../lib/json.ts";
import type { RunOpenCode } from "./run-open-code.ts";

/** How much of an error of OpenCode is passed on, in characters. */
const MAX_WORDS = 400;

/** Something that was asked of OpenCode. */
export type Reading<T> =
  | { readonly state: "read"; readonly value: T }
  | { readonly state: "failed"; readonly message: string }
  /** Not asked, because an earlier answer made it pointless. */
  | { readonly state: "skipped" };

export type VersionReading = Reading<string> | { readonly state: "missing" };

/** OpenCode's merged configuration, reduced to what is looked at; keys of providers are never kept. */
export interface MergedConfig {
  readonly permission: JsonRecord;
  readonly plugins: readonly PluginOrigin[];
  /** The shell that it names for commands. */
  readonly shell: string | null;
}

/** One plugin that OpenCode loads, and the file that lists it. */
export interface PluginOrigin {
  /** A name or URL, or a tuple with options. */
  readonly entry: unknown;
  readonly source: string;
}

export async function readVersion(run: RunOpenCode): Promise<VersionReading> {
  const answer = await ask(run, "--version");
  return answer.state === "read" ? { state: "read", value: answer.value.trim() } : answer;
}

/** Starts OpenCode in the folder with all its plugins, and reads what came of it. */
export async function readMergedConfig(run: RunOpenCode): Promise<Reading<MergedConfig>> {
  const answer = withoutMissing(await ask(run, "debug config"));
  if (answer.state !== "read") return answer;
  try {
    return { state: "read", value: readConfig(JSON.parse(answer.value)) };
  } catch {
    return { state: "failed", message: '"opencode debug config" printed no JSON.' };
  }
}

/** Every model that can be used now, as `provider/model`. */
export async function readModels(run: RunOpenCode): Promise<Reading<ReadonlySet<string>>> {
  const answer = withoutMissing(await ask(run, "models"));
  if (answer.state !== "read") return answer;
  const lines = answer.value.split("\n");
  return { state: "read", value: new Set(lines.map((line) => line.trim()).filter(isModel)) };
}

/** Those of them for which OpenCode has no price, so that a budget in money does not count them. */
export async function readUnpriced(run: RunOpenCode): Promise<Reading<ReadonlySet<string>>> {
  const answer = withoutMissing(await ask(run, "models --verbose"));
  if (answer.state !== "read") return answer;
  // Each name stands on a line of its own, and what is known of it below, as JSON.
  const [, ...parts] = answer.value.split(/^([^/\s{}"]+\/\S+)\s*$/m);
  const unpriced = parts.filter((_name, index) => {
    if (index % 2 === 1) return false;
    const { input, output } = recordOf(recordOf(parseJson(parts[index + 1] ?? ""))["cost"]);
    return input === 0 && output === 0;
  });
  return { state: "read", value: new Set(unpriced) };
}

function isModel(line: string): boolean {
  return /^[^/\s]+\/\S+$/.test(line);
}

function readConfig(raw: unknown): MergedConfig {
  const config = recordOf(raw);
  const origins = Array.isArray(config["plugin_origins"]) ? config["plugin_origins"].filter(isRecord) : [];
  return {
    permission: recordOf(config["permission"]),
    shell: textOf(config["shell"]) ?? null,
    plugins: origins.map(({ spec, source }) => ({ entry: spec, source: textOf(source) ?? "" })),
  };
}

/** What a call of OpenCode prints. */
async function ask(run: RunOpenCode, args: string): Promise<VersionReading> {
  const result = await run(args.split(" "));
  if (result.state === "missing") return result;
  if (result.state === "timed out") {
    return { state: "failed", message: `"opencode ${args}" did not end in time and was stopped.` };
  }
  if (result.code === 0) return { state: "read", value: result.stdout };
  const words = withoutContent(stripVTControlCharacters(result.stderr.trim() || result.stdout.trim()));
  const said = excerpt(words, MAX_WORDS) || "it said nothing";
  return { state: "failed", message: `"opencode ${args}" failed: ${said}` };
}

function withoutMissing(answer: VersionReading): Reading<string> {
  return answer.state === "missing" ? { state: "failed", message: "OpenCode was not found." } : answer;
}

/** OpenCode quotes a file that it cannot parse, keys of providers and all; the place of the slip is enough. */
function withoutContent(words: string): string {
  const [before, quoted] = words.split("--- JSONC Input ---");
  const place = /\w+ at line \d+, column \d+/.exec(quoted?.split("--- Errors ---").at(-1) ?? "")?.[0];
  return [before, place].filter(Boolean).join(" ");
}
