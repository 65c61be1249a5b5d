import { describe, expect, it } from "vitest";
import { renderConfigJsonSchema } from "../../src/config/json-schema.ts";
import { AGENTS } from "./config-files.ts";

/** The parts of JSON Schema that these tests walk through. */
interface JsonSchema {
  readonly properties?: Record<string, JsonSchema>;
  readonly definitions?: Record<string, JsonSchema>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly $ref?: string;
}

const schema = renderConfigJsonSchema(AGENTS) as JsonSchema;

/** All objects that a schema describes by their keys. */
function objectsIn(node: JsonSchema | boolean): JsonSchema[] {
  if (typeof node !== "object") return [];
  const { properties = {}, definitions = {}, items = false, anyOf = [] } = node;
  const inner = [...Object.values(properties), ...Object.values(definitions), items, ...anyOf];
  return [...(node.properties === undefined ? [] : [node]), ...inner.flatMap(objectsIn)];
}

describe("the published JSON Schema", () => {
  it("takes no key that it does not know, but for names of agents, which are overrides", () => {
    const agents = schema.properties?.["agents"];
    const others = objectsIn(schema).filter((each) => each !== agents);
    expect(others.length).toBeGreaterThan(20);
    expect(others.every(({ additionalProperties }) => additionalProperties === false)).toBe(true);
    expect(agents?.additionalProperties).toEqual({ $ref: "#/definitions/agentOverride" });
  });

  it("wants nothing at the top or of an agent, and every word of a choice", () => {
    expect([schema.required ?? [], schema.definitions?.["agentOverride"]?.required ?? []]).toEqual([[], []]);
    expect(schema.properties?.["mode"]).toMatchObject({ enum: ["supervised", "autopilot", "locked"] });
    expect(schema.properties?.["$schema"]).toMatchObject({ type: "string" });
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
