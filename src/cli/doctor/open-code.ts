import { stripVTControlCharacters } from "node:util";
import { excerpt } from "../../lib/excerpt.ts";
import { recordOf, isRecord, textOf, type JsonRecord } from "../../lib/json.ts";
import type { OpenCodeResult, RunOpenCode } from "./run-open-code.ts";

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
}

/** One plugin that OpenCode loads, and the file that lists it. */
export interface PluginOrigin {
  /** A name or URL, or a tuple with options. */
  readonly entry: unknown;
  readonly source: string;
}

export async function readVersion(run: RunOpenCode): Promise<VersionReading> {
  const result = await run(["--version"]);
  if (result.state === "missing") return result;
  const failure = failureOf(result, "--version");
  if (failure !== null) return { state: "failed", message: failure };
  return { state: "read", value: outputOf(result).trim() };
}

/** Starts OpenCode in the folder with all its plugins, and reads what came of it. */
export async function readMergedConfig(run: RunOpenCode): Promise<Reading<MergedConfig>> {
  const result = await run(["debug", "config"]);
  const failure = failureOf(result, "debug config");
  if (failure !== null) return { state: "failed", message: failure };
  try {
    return { state: "read", value: readConfig(JSON.parse(outputOf(result))) };
  } catch {
    return { state: "failed", message: '"opencode debug config" printed no JSON.' };
  }
}

/** Every model that can be used now, as `provider/model`. */
export async function readModels(run: RunOpenCode): Promise<Reading<ReadonlySet<string>>> {
  const result = await run(["models"]);
  const failure = failureOf(result, "models");
  if (failure !== null) return { state: "failed", message: failure };
  const lines = outputOf(result).split("\n");
  return { state: "read", value: new Set(lines.map((line) => line.trim()).filter(isModel)) };
}

function isModel(line: string): boolean {
  return /^[^/\s]+\/\S+$/.test(line);
}

function readConfig(raw: unknown): MergedConfig {
  const config = recordOf(raw);
  const origins = Array.isArray(config["plugin_origins"]) ? config["plugin_origins"].filter(isRecord) : [];
  return {
    permission: recordOf(config["permission"]),
    plugins: origins.map(({ spec, source }) => ({ entry: spec, source: textOf(source) ?? "" })),
  };
}

function outputOf(result: OpenCodeResult): string {
  return result.state === "ended" ? result.stdout : "";
}

function failureOf(result: OpenCodeResult, args: string): string | null {
  if (result.state === "missing") return "OpenCode was not found.";
  if (result.state === "timed out") return `"opencode ${args}" did not end in time and was stopped.`;
  if (result.code === 0) return null;
  const words = withoutContent(stripVTControlCharacters(result.stderr.trim() || result.stdout.trim()));
  return `"opencode ${args}" failed: ${excerpt(words, MAX_WORDS) || "it said nothing"}`;
}

/** OpenCode quotes a file that it cannot parse, keys of providers and all; the place of the slip is enough. */
function withoutContent(words: string): string {
  const [before, quoted] = words.split("--- JSONC Input ---");
  const place = /\w+ at line \d+, column \d+/.exec(quoted?.split("--- Errors ---").at(-1) ?? "")?.[0];
  return [before, place].filter(Boolean).join(" ");
}
