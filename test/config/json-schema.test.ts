import { describe, expect, it } from "vitest";
import { renderConfigJsonSchema } from "../../src/config/json-schema.ts";
import { AGENTS } from "./config-files.ts";

/** The parts of JSON Schema that these tests walk through. */
interface JsonSchema {
  readonly properties?: Record<string, JsonSchema>;
  readonly definitions?: Record<string, JsonSchema>;
  readonly items?: JsonSchema;
  readonly description?: string;
  readonly $ref?: string;
}

const schema = renderConfigJsonSchema(AGENTS) as JsonSchema;

/** The few words of JSON Schema that the rendered schema uses; a word it does not know makes it throw. */
function accepts(node: JsonSchema | boolean | undefined, value: unknown): boolean {
  if (node === undefined) return true;
  if (typeof node === "boolean") return node;
  return Object.entries(node).every(([word, rule]) => {
    const check = WORDS[word];
    if (!check) throw new Error(`the schema uses ${word}`);
    return check(rule as never, value, node);
  });
}

type Check = (rule: never, value: unknown, node: JsonSchema) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const always = () => true;

const WORDS: Record<string, Check> = {
  $schema: always,
  title: always,
  description: always,
  default: always,
  definitions: always,
  $ref: (rule: string, value) => accepts(schema.definitions?.[rule.replace("#/definitions/", "")], value),
  type: (rule: string, value) => {
    if (rule === "integer") return Number.isInteger(value);
    if (rule === "array") return Array.isArray(value);
    return rule === "object" ? isObject(value) : typeof value === rule;
  },
  enum: (rule: unknown[], value) => rule.includes(value),
  const: (rule: unknown, value) => rule === value,
  pattern: (rule: string, value) => typeof value === "string" && new RegExp(rule).test(value),
  minLength: (rule: number, value) => typeof value === "string" && value.length >= rule,
  minimum: (rule: number, value) => typeof value === "number" && value >= rule,
  maximum: (rule: number, value) => typeof value === "number" && value <= rule,
  anyOf: (rule: JsonSchema[], value) => rule.some((branch) => accepts(branch, value)),
  items: (rule: JsonSchema, value) => Array.isArray(value) && value.every((item) => accepts(rule, item)),
  required: (rule: string[], value) => isObject(value) && rule.every((key) => key in value),
  propertyNames: (rule: JsonSchema, value) =>
    isObject(value) && Object.keys(value).every((key) => accepts(rule, key)),
  properties: (rule: Record<string, JsonSchema>, value) =>
    isObject(value) &&
    Object.entries(rule).every(([key, inner]) => !(key in value) || accepts(inner, value[key])),
  additionalProperties: (rule: JsonSchema | boolean, value, node) =>
    isObject(value) &&
    Object.entries(value).every(
      ([key, inner]) => Object.hasOwn(node.properties ?? {}, key) || accepts(rule, inner),
    ),
};

const EXAMPLE = {
  $schema: "https://example.org/gaia.schema.json",
  mode: "supervised",
  visibility: "checkpoint",
  interaction: "standard",
  checkinCadence: "wave",
  reviewDepth: "diff",
  startup: { askAtTaskStart: true, defaultProfile: "pair_ramp", rampWarmupBatches: 2 },
  gaiaContext: {
    initFile: ".gaia/gaia-init.md",
    gaiaInstructionFile: "GAIA.md",
    useLearnings: true,
    accountFor: ["Small steps"],
    avoid: ["Rewrites"],
    extraContextFiles: ["README.md"],
  },
  wavePolicy: { enforceWaveId: true, boundaryRule: "implementation+basic_checks" },
  autopilotSafeguards: {
    maxToolCallsPerWave: 40,
    maxWaveMinutes: 20,
    maxBackgroundTasks: 3,
    consecutiveFailureLimit: 3,
    onFailureLimit: "checkpoint",
  },
  agents: {
    hephaestus: { model: "opencode/gemini-3-pro", prompt_append: "Angular" },
    hades: { model: "inherit", temperature: 0.3, permission: { bash: { "git *": "allow" }, edit: "deny" } },
    eleuthia: { disabled: true },
    "my-own": { steps: 10 },
  },
};

describe("the published JSON Schema", () => {
  it("accepts nothing at all, and a whole configuration with a custom agent", () => {
    expect(accepts(schema, {})).toBe(true);
    expect(accepts(schema, EXAMPLE)).toBe(true);
  });

  it.each([
    ["an unknown key", { wolf: 1 }],
    ["an unknown key of a section", { startup: { mode: "locked" } }],
    ["an unknown key of an agent", { agents: { hades: { modle: "a/b" } } }],
    ["an unknown key of a custom agent", { agents: { "my-own": { modle: "a/b" } } }],
    ["a wrong word", { mode: "superviced" }],
    ["a model without provider", { agents: { hades: { model: "gpt" } } }],
    ["half a check", { definitionOfDone: { checks: [{ id: "test" }] } }],
    ["a limit of nothing", { delegation: { maxConcurrent: { perModel: { "a/b": 0 } } } }],
  ])("rejects %s", (_name, change) => {
    expect(accepts(schema, { ...EXAMPLE, ...change })).toBe(false);
  });

  it("proposes the agents and says what each key is for", () => {
    const agents = schema.properties?.["agents"];
    expect(Object.keys(agents?.properties ?? {})).toEqual([...AGENTS]);
    expect(undescribed(schema, "")).toEqual([]);
  });
});

/** The paths of all keys without a description. */
function undescribed(node: JsonSchema, path: string): string[] {
  const keys = Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const self = child.description || child.$ref ? [] : [`${path}.${key}`];
    return self.concat(undescribed(child, `${path}.${key}`));
  });
  const definitions = Object.values(node.definitions ?? {}).flatMap((child) => undescribed(child, path));
  return keys.concat(definitions, node.items ? undescribed(node.items, `${path}[]`) : []);
}
