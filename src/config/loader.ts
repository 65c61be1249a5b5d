import { join, relative } from "node:path";
import { systemClock, type Clock } from "../lib/clock.ts";
import { describeError } from "../lib/error.ts";
import { renderKeyPath, type JsonObject } from "./json-value.ts";
import { mergeLayers, traceSources, type ConfigSource, type Layer } from "./layers.ts";
import { presetOverrides } from "./presets.ts";
import { MOST_PROBLEMS, type ConfigProblem } from "./problem.ts";
import { readSource } from "../lib/read-source.ts";
import { createConfigSchema, type ConfigSchema, type ResolvedConfig } from "./schema.ts";
import { parseSourceBytes, parseSourceText, type SourceText } from "./source-text.ts";
import { validateSource } from "./validate.ts";

/** Where the configuration comes from. */
export interface ConfigLocation {
  /** OpenCode's configuration directory of the user, for example `~/.config/opencode`. */
  readonly userConfigDir: string;
  readonly projectDirectory: string;
  /** The second element of the plugin's entry in opencode.json; undefined when it has none. */
  readonly pluginOptions?: unknown;
  /** All agent names that `agents` may hold, custom specialists included. */
  readonly knownAgents: readonly string[];
  /** Bounds the reading of files; the system's clock unless a test brings its own. */
  readonly clock?: Clock;
}

/** The effective configuration and everything there is to say about it. */
export interface LoadedConfig {
  readonly config: ResolvedConfig;
  /** What was ignored and why, source by source. */
  readonly problems: readonly ConfigProblem[];
  /** Source of each effective value by key path, `agents.gaia.model`; a list counts as one value. */
  readonly provenance: ReadonlyMap<string, ConfigSource>;
}

interface LoadedLayer extends Layer {
  readonly problems: readonly ConfigProblem[];
}

/**
 * Loads the user's file, the project's file and the plugin options, later ones winning key by key (SPEC 7).
 * Reads those files and nothing else, each within 2 s. Never throws: what cannot be used is a problem, the rest applies.
 */
export async function loadConfig(location: ConfigLocation): Promise<LoadedConfig> {
  const { userConfigDir, projectDirectory, pluginOptions, knownAgents, clock = systemClock } = location;
  const schema = createConfigSchema(knownAgents);
  const user = ["gaia.jsonc", "gaia.json"].map((name) => join(userConfigDir, name));
  const project = [".gaia/config.jsonc", ".gaia/config.json"].map((name) => join(projectDirectory, name));
  const files = await Promise.all([
    loadFile(schema, "user file", user, clock),
    loadFile(schema, "project file", project, clock, projectDirectory),
  ]);
  const layers = [...files, loadOptions(schema, pluginOptions)].filter((layer) => layer !== undefined);
  const problems = layers.flatMap((layer) => layer.problems);
  return { ...resolveLayers(schema, layers, knownAgents), problems };
}

function resolveLayers(schema: ConfigSchema, layers: readonly Layer[], knownAgents: readonly string[]) {
  const { preset } = schema.parse(mergeLayers(layers));
  const agents = presetOverrides(preset, knownAgents) as JsonObject;
  const all: Layer[] = [{ source: "preset", value: { agents } }, ...layers];
  // Layers that are valid one by one merge into something valid: no rule of the schema spans two keys.
  const config = schema.parse(mergeLayers(all));
  return { config, provenance: traceSources(config as JsonObject, all) };
}

/**
 * The first file that is there; one that is there but unreadable is not passed over for the next.
 * @param base problems name the file relative to it; without one by its whole path
 */
async function loadFile(
  schema: ConfigSchema,
  source: Layer["source"],
  paths: readonly string[],
  clock: Clock,
  base?: string,
): Promise<LoadedLayer | undefined> {
  for (const path of paths) {
    const result = await readSource(path, clock);
    const file = base === undefined ? path : relative(base, path);
    if (result.state === "read") return loadText(schema, source, file, parseSourceBytes(result.bytes));
    if (result.state === "failed") return unreadable(source, file, result.message, result.suggestion);
  }
  return undefined;
}

function loadOptions(schema: ConfigSchema, options: unknown): LoadedLayer | undefined {
  if (options === undefined) return undefined;
  const source = "plugin options";
  try {
    // The way through JSON leaves plain data: no getters, cycles or foreign prototypes.
    const text = parseSourceText(JSON.stringify(options) ?? "null");
    const { problems, ...layer } = loadText(schema, source, source, text);
    return { ...layer, problems: problems.map(({ line: _line, column: _column, ...problem }) => problem) };
  } catch (error) {
    const message = `cannot be read as JSON: ${describeError(error)}`;
    return unreadable(source, source, message, "Write plain JSON values into opencode.json.");
  }
}

function unreadable(source: Layer["source"], file: string, message: string, suggestion: string): LoadedLayer {
  return { source, value: {}, problems: [{ kind: "unreadable", file, path: "", message, suggestion }] };
}

function loadText(
  schema: ConfigSchema,
  source: Layer["source"],
  file: string,
  text: SourceText,
): LoadedLayer {
  const { valid, findings } = validateSource(schema, text.value);
  const problems: ConfigProblem[] = [];
  for (const { position, path, ...what } of text.findings) {
    problems.push({ ...what, file, ...position, path: renderKeyPath(path) });
  }
  for (const { anchor, path, ...what } of findings) {
    problems.push({ ...what, file, ...text.locate(anchor.path, anchor.side), path: renderKeyPath(path) });
  }
  return { source, value: valid, problems: shorten(problems.toSorted(byPosition), file) };
}

function byPosition(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function shorten(problems: ConfigProblem[], file: string): ConfigProblem[] {
  if (problems.length <= MOST_PROBLEMS) return problems;
  const message = `more than ${MOST_PROBLEMS} problems, the others are not listed`;
  return [...problems.slice(0, MOST_PROBLEMS), { kind: "more-problems", file, path: "", message }];
}
