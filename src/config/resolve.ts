import { describeError } from "../lib/error.ts";
import type { ReadResult } from "../lib/read-source.ts";
import { defaultConfig } from "./defaults.ts";
import type { JsonObject } from "./json-value.ts";
import { mergeLayers, traceSources, type ConfigSource, type ConfigLayer } from "./layers.ts";
import { presetOverrides, type PresetName } from "./presets.ts";
import { MAX_PROBLEMS, type ConfigProblem } from "./problem.ts";
import type { KnownAgents } from "./roles.ts";
import { createConfigSchema, type ConfigSchema, type ResolvedConfig } from "./schema.ts";
import { parseSourceBytes } from "./source-text.ts";
import { validateSource } from "./validate.ts";

/** A file that is there, or the plugin options as OpenCode hands them over. */
export interface KeySource extends Pick<ConfigLayer, "source"> {
  /** As problems name it. */
  readonly file: string;
  /** Whether it came with the project. */
  readonly isProjects: boolean;
  readonly content: Exclude<ReadResult, { state: "absent" }>;
}

/** How problems name them: OpenCode hands them over without the file. */
export const OPTIONS = "plugin options in opencode.json";

/** The way through JSON leaves plain data: no getters, cycles or foreign prototypes. */
export function optionsSource(options: unknown, isProjects: boolean): KeySource {
  const from = { source: "plugin options", file: "plugin options", isProjects } as const;
  try {
    const bytes = Buffer.from(JSON.stringify(options) ?? "null");
    return { ...from, content: { state: "read", bytes } };
  } catch (error) {
    const message = `cannot be read as JSON: ${describeError(error)}`;
    const suggestion = "Write plain JSON values into opencode.json.";
    return { ...from, content: { state: "failed", message, suggestion } };
  }
}

/** What applies of a source that came with the project (SPEC 2.10); `src/trust` decides it. @param base the configuration without any such source */
export type Restrain = (file: string, written: JsonObject, base: JsonObject) => JsonObject;

export interface LoadedConfig {
  readonly config: ResolvedConfig;
  /** As it would be if the project got all that it asks for. */
  readonly wanted: ResolvedConfig;
  /** What was ignored and why, source by source. */
  readonly problems: readonly ConfigProblem[];
  /** Source of each effective value by key path, `agents.gaia.model`; a list counts as one value. Made when asked for. */
  readonly provenance: ReadonlyMap<string, ConfigSource>;
}

type LoadedLayer = ConfigLayer & Pick<KeySource, "file" | "isProjects"> & Pick<LoadedConfig, "problems">;

/** Checks each source and merges what is valid and may apply. Pure but for `restrain`; never throws. @param sources the weakest first */
export function resolveSources(
  sources: readonly KeySource[],
  knownAgents: KnownAgents,
  restrain: Restrain,
): LoadedConfig {
  const schema = schemaFor(Object.keys(knownAgents));
  const layers = sources.map((source) => loadSource(schema, source));
  const base = merge(
    schema,
    layers.filter(({ isProjects }) => !isProjects),
    knownAgents,
  );
  const { config, all } = merge(
    schema,
    layers.map((layer) =>
      layer.isProjects
        ? { ...layer, value: restrain(layer.file, layer.value, base.config as JsonObject) }
        : layer,
    ),
    knownAgents,
  );
  const problems = layers.flatMap((layer) => layer.problems);
  // What a file that cannot be read forbids is not known.
  const isKnown = problems.every(({ kind }) => kind !== "syntax" && kind !== "unreadable");
  return {
    config: isKnown ? config : { ...config, mode: "locked" },
    wanted: merge(schema, layers, knownAgents).config,
    problems,
    get provenance() {
      const traced = traceSources(config as JsonObject, all);
      return isKnown ? traced : traced.set("mode", "a file that cannot be read");
    },
  };
}

let made: { readonly key: string; readonly schema: ConfigSchema } | undefined;

/** Each project of one OpenCode asks for it, nearly always with the same agents: building it takes longer than using it. */
function schemaFor(agents: readonly string[]): ConfigSchema {
  const key = agents.join("\n");
  if (made?.key !== key) made = { key, schema: createConfigSchema(agents) };
  return made.schema;
}

function merge(
  schema: ConfigSchema,
  layers: readonly ConfigLayer[],
  knownAgents: KnownAgents,
): { config: ResolvedConfig; all: readonly ConfigLayer[] } {
  const written = mergeLayers(layers);
  const preset = (written["preset"] ?? defaultConfig().preset) as PresetName;
  const agents = presetOverrides(preset, knownAgents) as JsonObject;
  const hands = written["hands"] === "on" ? { code: "on", ast: "on", lanes: "auto" } : {};
  const all: ConfigLayer[] = [
    { source: "preset", value: { agents } },
    { source: "hands", value: hands },
    ...layers,
  ];
  // Layers that are valid one by one merge into something valid: no rule of the schema spans two keys.
  return { config: schema.parse(mergeLayers(all)), all };
}

function loadSource(schema: ConfigSchema, { content, ...from }: KeySource): LoadedLayer {
  const file = from.source === "plugin options" ? OPTIONS : from.file;
  if (content.state === "failed") {
    const { message } = content;
    const suggestion = `${content.suggestion} Until then sessions begin locked.`;
    return { ...from, value: {}, problems: [{ kind: "unreadable", file, path: "", message, suggestion }] };
  }
  const text = parseSourceBytes(content.bytes);
  const { valid, problems } = validateSource(schema, text.value, text.locate);
  const placed = [...text.problems, ...problems].map((problem) => ({ ...problem, file }));
  const told = shorten(placed.toSorted(byPosition), file);
  // Nobody sees the text of the options.
  const bare = told.map(({ line: _line, column: _column, ...problem }) => problem);
  return { ...from, value: valid, problems: file === OPTIONS ? bare : told };
}

function byPosition(a: ConfigProblem, b: ConfigProblem): number {
  return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
}

function shorten(problems: ConfigProblem[], file: string): ConfigProblem[] {
  if (problems.length <= MAX_PROBLEMS) return problems;
  const message = `more than ${MAX_PROBLEMS} problems, the others are not listed`;
  return [...problems.slice(0, MAX_PROBLEMS), { kind: "more-problems", file, path: "", message }];
}
